"""Debian's source packages, by apt-get with lists of packages of its own: the machine's configuration stays as it is."""

import os
import subprocess


def apt(folder):
    """The start of a command of apt-get that knows the source packages of this release; what it needs is kept in a folder."""
    apt_get = ["apt-get", "-c", f"{folder}/apt.conf", "-qq"]
    if os.path.exists(f"{folder}/apt.conf"):
        return apt_get
    release = dict(line.rstrip().split("=", 1) for line in open("/etc/os-release") if "=" in line)["VERSION_CODENAME"]
    targets = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(RELEASE) $(COMPONENT) $(REPO_URI)", "Created-By: Packages"],
        capture_output=True, text=True, check=True).stdout.split("\n")
    archive = next(line.split()[2] for line in targets if line.split()[:2] == [release, "main"])
    os.makedirs(f"{folder}/lists/partial")
    os.makedirs(f"{folder}/cache/archives/partial")
    open(f"{folder}/sources.list", "w").write(f"deb-src [trusted=yes] {archive} {release} main\n")
    open(f"{folder}/apt.conf", "w").write(
        f'Dir::Etc::sourcelist "{folder}/sources.list";\nDir::Etc::sourceparts "-";\n'
        f'Dir::State::lists "{folder}/lists";\nDir::Cache "{folder}/cache";\nAPT::Sandbox::User "root";\n')
    subprocess.run([*apt_get, "update"], cwd=folder, check=True)
    return apt_get
