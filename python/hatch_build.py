"""Puts the program that $CLEAVE_PROGRAM names into the wheel (scripts/wheel); without it the wheel is Python alone."""
import os
import sysconfig

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramHook(BuildHookInterface):
    def initialize(self, version, build_data):
        program = os.environ.get("CLEAVE_PROGRAM")
        if program and version == "standard":  # not an editable installation
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data.update(pure_python=False, tag=f"py3-none-{platform}")
            build_data["force_include"][program] = "cleave/bin/cleave"
            build_data["shared_scripts"][os.path.join(self.root, "wheel", "cleave")] = "cleave"
