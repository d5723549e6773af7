"""The files beside the Dockerfile: compose, Kubernetes, Prometheus and Grafana, against the real command and server."""

import json
import re
from pathlib import Path

import promql_parser
import pytest
import yaml
from tests.serving.running import running
from tests.serving.test_deploy import instructions, words

DEPLOY = Path(__file__).parents[2] / "deploy"
TOKEN = "a-token-for-the-tests"
SCRAPED = {"job", "instance"}  # labels that Prometheus adds


def documents(name):
    return list(yaml.safe_load_all((DEPLOY / name).read_text()))


def kubernetes(kind):
    [found] = [one for one in documents("kubernetes.yaml") if one["kind"] == kind]
    return found


def started(folder, arguments, token_path):
    """A server of the image's command with the arguments of a manifest; the token is where the test may write."""
    (folder / "token").write_text(TOKEN)
    assert token_path in arguments
    placed = [str(folder / "token") if one == token_path else one for one in arguments]
    placed = ["0" if before == "--drain" else one for before, one in zip(["", *placed], placed, strict=False)]
    return running(folder, "textrank", *words("ENTRYPOINT")[2:], *placed)


def seconds(arguments, option):
    return float(arguments[arguments.index(option) + 1])


def test_the_compose_file_builds_the_image_and_its_command_starts(tmp_path):
    [composed] = documents("compose.yaml")
    service = composed["services"]["keyseq"]
    assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).samefile(DEPLOY / "Dockerfile")
    assert service["ports"] == [f"127.0.0.1:8080:{instructions('EXPOSE')[0]}"]
    assert service["secrets"] == list(composed["secrets"])
    assert composed["secrets"]["token"]["file"] == "token.txt"  # which the first line writes
    assert "> deploy/token.txt" in (DEPLOY / "compose.yaml").read_text().splitlines()[0]
    assert float(service["stop_grace_period"].removesuffix("s")) > seconds(service["command"], "--drain") + 30
    with started(tmp_path, service["command"], "/run/secrets/token") as server:
        assert server.ask("/v1/systems").status == 401
        assert server.ask("/v1/systems", Authorization=f"Bearer {TOKEN}").status == 200


def test_the_pods_command_starts_and_its_probes_answer_under_any_host_name(tmp_path):
    pod = kubernetes("Deployment")["spec"]["template"]["spec"]
    [container] = pod["containers"]
    [mount] = [one["mountPath"] for one in container["volumeMounts"] if one["name"] == "token"]
    with started(tmp_path, container["args"], f"{mount}/token") as server:
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            asked = container[probe]["httpGet"]
            assert asked["port"] == container["ports"][0]["name"]
            assert server.ask(asked["path"], Host="10.1.2.3:8080").status == 200
        path = kubernetes("Ingress")["spec"]["rules"][0]["http"]["paths"][0]["path"]
        assert server.ask(f"{path}/", Host="keys.example.org").status == 200
        assert server.ask(f"{path}/v1/systems", Authorization=f"Bearer {TOKEN}").status == 200
        assert server.ask(f"{path}/v1/systems").status == 401
    assert str(container["ports"][0]["containerPort"]) in instructions("EXPOSE")


def test_the_pod_has_time_to_drain_and_is_no_root():
    pod = kubernetes("Deployment")["spec"]["template"]["spec"]
    [container] = pod["containers"]
    drain = seconds(container["args"], "--drain")
    ready = container["readinessProbe"]
    assert drain > ready["periodSeconds"] * ready["failureThreshold"]  # until Kubernetes has seen the 503
    assert pod["terminationGracePeriodSeconds"] > drain + 30 + 1  # the timeout of a request
    security = pod["securityContext"]
    assert f"{security['runAsUser']}:{security['runAsGroup']}" == instructions("USER")[0]
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert "/tmp" in [one["mountPath"] for one in container["volumeMounts"]]  # where uploads are written


def test_the_parts_of_the_manifest_find_each_other():
    labels = kubernetes("Deployment")["spec"]["template"]["metadata"]["labels"]
    service = kubernetes("Service")
    assert service["spec"]["selector"] == labels == kubernetes("Deployment")["spec"]["selector"]["matchLabels"]
    assert kubernetes("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    backend = kubernetes("Ingress")["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]
    assert backend == {"name": service["metadata"]["name"], "port": {"name": service["spec"]["ports"][0]["name"]}}


def dashboard():
    shown = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    queries = [target["expr"] for panel in shown["panels"] for target in panel["targets"]]
    asked = [one["query"] for one in shown["templating"]["list"] if one["type"] == "query"]
    assert asked == ["label_values(keyseq_requests_total, job)"]
    return [query.replace("$__rate_interval", "5m") for query in queries]


def alerts():
    [rules] = documents("alerts.yaml")
    return [rule["expr"] for group in rules["groups"] for rule in group["rules"]]


@pytest.fixture(scope="module")
def metrics(server):
    """The labels of each metric that a server has."""
    server.keyphrases({"text": "Voice recognition by robots."})
    found = {"up": set()}  # Prometheus' own
    for line in server.ask("/metrics").body.decode().splitlines():
        if not line.startswith("#"):
            name, _, labels = line.partition(" ")[0].partition("{")
            found.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    return found


@pytest.mark.parametrize("expression", [*dashboard(), *alerts()])
def test_the_dashboard_and_the_alerts_ask_for_metrics_and_labels_that_exist(metrics, expression):
    written = promql_parser.parse(expression).prettify()  # raises where it is not PromQL
    names = set(re.findall(r"\b(?:keyseq|process)_\w+|\bup\b", written))
    assert names
    assert names <= set(metrics)
    labels = set(re.findall(r"(\w+)(?:=~|!~|!=|=)\"", written))
    labels |= {one.strip() for by in re.findall(r"by \(([^)]*)\)", written) for one in by.split(",")}
    assert labels <= SCRAPED.union(*(metrics[name] for name in names))


def test_prometheus_scrapes_what_the_server_offers_and_reads_the_alerts():
    [config] = documents("prometheus.yaml")
    assert [(DEPLOY / name).is_file() for name in config["rule_files"]] == [True]
    [job] = config["scrape_configs"]
    assert (job["job_name"], job["metrics_path"]) == ("keyseq", "/metrics")
    for rule in documents("alerts.yaml")[0]["groups"][0]["rules"]:
        assert rule["annotations"]["summary"]
        assert rule["labels"]["severity"] in ("warning", "critical")
