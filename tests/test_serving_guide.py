"""The guide to serving a study: its container, its proxies and its commands fit the program."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from clonetruth.options.study import InviteJudgeOptions, ServeStudyOptions
from clonetruth.studies.web.connections import LIMITS
from clonetruth.studies.web.security import FORM_BYTES

PAGE = (Path(__file__).parent.parent / "docs" / "serving-a-study.md").read_text(encoding="utf-8")


def block(language: str, containing: str = "") -> str:
    """The code block of a language that contains some text."""
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return next(text for text in blocks if containing in text)


def options(text: str) -> set[str]:
    return set(re.findall(r"(?<=\s)--[a-z-]+", text))


def known(*verbs: type) -> set[str]:
    return {f"--{field.name.replace('_', '-')}" for verb in verbs for field in fields(verb)}


def test_the_options_exist() -> None:
    section = PAGE[PAGE.index("## On a network") : PAGE.index("## Security")]
    commands = re.findall(r"clonetruth study (?:serve|invite|revoke)[^`\n]*", section)
    assert len(commands) >= 4
    for command in commands:
        assert options(command) <= known(ServeStudyOptions, InviteJudgeOptions), command


def test_the_container_runs_the_server_without_root() -> None:
    lines = [line.split(None, 1) for line in block("dockerfile").splitlines()]
    said = {name: value for name, value in lines if name != "RUN"}
    assert said["USER"] not in ("root", "0")
    assert said["WORKDIR"] == said["VOLUME"]
    command = [*json.loads(said["ENTRYPOINT"]), *json.loads(said["CMD"])]
    assert command[:4] == ["clonetruth", "study", "serve", said["VOLUME"]]
    assert options(" ".join(command)) <= known(ServeStudyOptions)
    port = next(field.default for field in fields(ServeStudyOptions) if field.name == "port")
    assert said["EXPOSE"] == str(port)


def test_the_services_fit_the_container() -> None:
    yaml = pytest.importorskip("yaml")
    services = yaml.safe_load(block("yaml"))
    study = services["services"]["study"]
    assert study["read_only"] is True
    assert study["volumes"] == ["./my-study:/study"]
    command = shlex.split(study["command"])
    assert command[:2] == ["serve", "/study"]
    assert options(study["command"]) <= known(ServeStudyOptions)
    (subnet,) = services["networks"]["study"]["ipam"]["config"]
    assert command[command.index("--trusted-proxy") + 1] == subnet["subnet"]


def test_the_limits_are_those_of_the_server() -> None:
    proxy = block("nginx", "proxy_pass")
    assert f"client_max_body_size {FORM_BYTES // 1024}k;" in proxy
    assert f"client_header_timeout {LIMITS.head_seconds}s;" in proxy
    assert f"client_body_timeout {LIMITS.body_seconds}s;" in proxy
    assert f"send_timeout {LIMITS.send_seconds}s;" in proxy
    assert proxy.count("{") == proxy.count("}")
    words = " ".join(PAGE.split())
    assert f"{LIMITS.head_seconds} seconds for the headers ({LIMITS.head_bytes // 1024} KiB)" in words
    assert f"{LIMITS.connections} connections" in words


def test_nginx_reads_its_configuration(tmp_path: Path) -> None:
    if shutil.which("nginx") is None:
        pytest.skip("needs nginx")
    text = re.sub(r"listen 443 ssl;|ssl_certificate.*?;", "", block("nginx", "proxy_pass"))
    config = tmp_path / "nginx.conf"
    config.write_text(f"events {{}}\nhttp {{\n{text}\n}}\n", encoding="utf-8")
    subprocess.run(["nginx", "-t", "-p", tmp_path, "-c", config], check=True)
