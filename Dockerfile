# Cleave on Debian 12, from the sources in this folder:
#
#     docker build -t cleave .                              # CPU
#     docker run --rm -u $(id -u):$(id -g) -v "$PWD":/work cleave run configs/quickstart.yaml
#
# With CUDA (the host needs NVIDIA's driver and container toolkit):
#
#     docker build -t cleave:cuda --build-arg CUDA=13-0 .   # version of the toolkit, as in its package names
#     docker run --rm --gpus all -u $(id -u):$(id -g) -v "$PWD":/work cleave:cuda run configs/quickstart.yaml
FROM debian:bookworm AS build
ARG CUDA=
ENV DEBIAN_FRONTEND=noninteractive
COPY . /source
WORKDIR /source
# NVIDIA's packages of the compiler and the static runtime; nothing else of CUDA is needed.
RUN if [ -n "$CUDA" ]; then \
      apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates wget && \
      wget -q https://developer.download.nvidia.com/compute/cuda/repos/debian12/x86_64/cuda-keyring_1.1-1_all.deb && \
      dpkg -i cuda-keyring_1.1-1_all.deb && apt-get update -qq && \
      apt-get install -y -qq --no-install-recommends "cuda-nvcc-$CUDA" "cuda-cudart-dev-$CUDA" "cuda-cccl-$CUDA"; \
    fi
RUN scripts/container /opt/cleave "$CUDA"

# The program and the shared libraries that it needs, without compilers and headers.
FROM debian:bookworm-slim
COPY --from=build /opt/cleave /opt/cleave
RUN apt-get update -qq && \
    xargs apt-get install -y -qq --no-install-recommends </opt/cleave/share/cleave/packages && \
    rm -rf /var/lib/apt/lists/*
ENV PATH=/opt/cleave/bin:$PATH
# MPI in a container: no ssh, and the user may be root.
ENV OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=
WORKDIR /work
ENTRYPOINT ["cleave"]
CMD ["--help"]
