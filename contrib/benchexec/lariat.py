"""BenchExec's description of Lariat: put this file where BenchExec finds tool-info modules."""

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """https://gitlab.com/sosy-lab/benchmarking/fm-tools describes what the methods are for."""

    REQUIRED_PATHS = ["lariat", "lib"]

    # Failures by the class that the report names, as the competition calls them.
    PROPERTIES = {
        "null pointer dereference": result.RESULT_FALSE_DEREF,
        "invalid pointer dereference": result.RESULT_FALSE_DEREF,
        "invalid memory access": result.RESULT_FALSE_DEREF,
        "use after": result.RESULT_FALSE_DEREF,
        "buffer overflow": result.RESULT_FALSE_DEREF,
        "buffer underflow": result.RESULT_FALSE_DEREF,
        "write to constant memory": result.RESULT_FALSE_DEREF,
        "call through": result.RESULT_FALSE_DEREF,
        "double free": result.RESULT_FALSE_FREE,
        "invalid free": result.RESULT_FALSE_FREE,
        "memory leak": result.RESULT_FALSE_MEMTRACK,
        "signed overflow": result.RESULT_FALSE_OVERFLOW,
    }

    def executable(self, tool_locator):
        return tool_locator.find_executable("lariat")

    def name(self):
        return "Lariat"

    def project_url(self):
        return ""

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="lariat ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        if isinstance(task.options, dict) and task.options.get("language") == "C":
            model = task.options.get("data_model")
            if model:
                command += ["--data-model", model]
        if rlimits.cputime:
            command += ["--timeout", f"{rlimits.cputime}s"]
        return command + list(task.input_files_or_identifier)

    def determine_result(self, run):
        lines = [line.strip() for line in run.output if line.strip()]
        last = lines[-1] if lines else ""
        if last == "safe":
            return result.RESULT_TRUE_PROP
        if last == "unsafe":
            failed = next((line for line in lines if ": failed: " in line), "")
            for words, status in self.PROPERTIES.items():
                if f": failed: {words}" in failed or f" {words}: " in failed:
                    return status
            return result.RESULT_FALSE_REACH
        if last.startswith(("bounded", "unknown")):
            return f"{result.RESULT_UNKNOWN}({last.split(':', 1)[-1].strip()[:60]})"
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        for line in output:
            if line.strip().startswith(identifier):
                return line.split(":", 1)[-1].strip()
        return None
