/// Texture objects over arrays in device memory.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "cuda_backend.cuh"
#include "strategies/kernels/force_ladder.hpp"

namespace cleave {

/// Textures of doubles as pairs of words, released with this object.
class Textures {
 public:
  Textures() = default;
  Textures(const Textures&) = delete;
  Textures& operator=(const Textures&) = delete;
  ~Textures() {
    for (const cudaTextureObject_t texture : objects_) cudaDestroyTextureObject(texture);
  }

  /// How many doubles a texture may have.
  static std::size_t most() {
    int device = 0;
    std::size_t texels = 0;
    const cudaChannelFormatDesc words = cudaCreateChannelDesc<int2>();
    check_cuda(cudaGetDevice(&device), "no device");
    check_cuda(cudaDeviceGetTexture1DLinearMaxWidth(&texels, &words, device), "device properties");
    return std::min(texels, std::size_t{1} << 30);  // an index is an int
  }
  cudaTextureObject_t over(const double* data, std::size_t count) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<double*>(data);
    resource.res.linear.desc = cudaCreateChannelDesc<int2>();
    resource.res.linear.sizeInBytes = count * sizeof(double);
    cudaTextureDesc reading{};
    reading.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    check_cuda(cudaCreateTextureObject(&texture, &resource, &reading, nullptr), "a texture");
    objects_.push_back(texture);
    return texture;
  }
  /// Of all matrices. Throws std::runtime_error when there are too many for TransposedInTextures.
  TransposedInTextures over_matrices(const double* data, Index elements) {
    constexpr std::size_t matrix = T6::dofs * T6::dofs;
    TransposedInTextures all{};
    // Every part begins at a multiple of 512 bytes, as a texture must: four matrices are 9 times as much.
    all.elements_of_part = static_cast<Index>(std::min(most() / matrix / 4 * 4, static_cast<std::size_t>(elements)));
    const Index parts = (elements + all.elements_of_part - 1) / all.elements_of_part;
    if (parts > TransposedInTextures::most) throw std::runtime_error("too many elements for textures: take fewer");
    for (Index part = 0; part < parts; ++part) {
      const Index first = part * all.elements_of_part, count = std::min(all.elements_of_part, elements - first);
      all.parts[part] = over(data + first * matrix, count * matrix);
    }
    return all;
  }

 private:
  std::vector<cudaTextureObject_t> objects_;
};

}  // namespace cleave
