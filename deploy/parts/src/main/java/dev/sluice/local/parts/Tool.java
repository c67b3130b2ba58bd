package dev.sluice.local.parts;

import java.util.List;

/** The binaries the laptop cluster needs, each with its pinned version and every way to get it. */
public enum Tool {
  ETCD(
      "etcd",
      "3.6.4",
      List.of("--version"),
      new Release(
          "https://github.com/etcd-io/etcd/releases/download/v{v}/etcd-v{v}-{os}-{arch}.tar.gz",
          "https://github.com/etcd-io/etcd/releases/download/v{v}/SHA256SUMS",
          "etcd-v{v}-{os}-{arch}/etcd"),
      new GoModule("kubernetes", "go.etcd.io/etcd/server/v3", "")),
  KUBE_APISERVER("kube-apiserver", List.of("--version")),
  KUBE_CONTROLLER_MANAGER("kube-controller-manager", List.of("--version")),
  KUBECTL("kubectl", List.of("version", "--client")),
  TEMPORAL(
      "temporal",
      "1.5.1",
      List.of("--version"),
      new Release(
          "https://github.com/temporalio/cli/releases/download/v{v}/temporal_cli_{v}_{os}_{arch}.tar.gz",
          "https://github.com/temporalio/cli/releases/download/v{v}/checksums.txt",
          "temporal"),
      new GoModule(
          "temporal",
          "github.com/temporalio/cli/cmd/temporal",
          "-X github.com/temporalio/cli/temporalcli.Version={v}")),
  HELM(
      "helm",
      "3.19.2",
      List.of("version", "--short"),
      new Release(
          "https://get.helm.sh/helm-v{v}-{os}-{arch}.tar.gz",
          "https://get.helm.sh/helm-v{v}-{os}-{arch}.tar.gz.sha256sum",
          "{os}-{arch}/helm"),
      new GoModule(
          "helm", "helm.sh/helm/v3/cmd/helm", "-X helm.sh/helm/v3/internal/version.version=v{v}"));

  private final String binary;
  private final Version version;
  private final List<String> versionArguments;
  private final Release release;
  private final GoModule module;

  Tool(
      String binary,
      String version,
      List<String> versionArguments,
      Release release,
      GoModule module) {
    this.binary = binary;
    this.version = Version.parse(version);
    this.versionArguments = versionArguments;
    this.release = release;
    this.module = module;
  }

  /** A binary of Kubernetes itself: all share version, download place and Go module. */
  Tool(String binary, List<String> versionArguments) {
    this(
        binary,
        "1.34.2",
        versionArguments,
        Release.binary(
            "https://dl.k8s.io/v{v}/bin/{os}/{arch}/" + binary,
            "https://dl.k8s.io/v{v}/bin/{os}/{arch}/" + binary + ".sha256"),
        new GoModule(
            "kubernetes",
            "k8s.io/kubernetes/cmd/" + binary,
            "-X k8s.io/component-base/version.gitVersion=v{v}"
                + " -X k8s.io/component-base/version.gitMajor=1"
                + " -X k8s.io/component-base/version.gitMinor=34"
                + " -X k8s.io/component-base/version.gitTreeState=clean"));
  }

  /** The file name, such as {@code kube-apiserver}. */
  public String binary() {
    return binary;
  }

  /** The version that is built and tested; a newer patch release on PATH fits too. */
  public Version version() {
    return version;
  }

  /** Arguments that make the binary print its version and end. */
  List<String> versionArguments() {
    return versionArguments;
  }

  /** The official release for {@code platform}. */
  Release release(Platform platform) {
    return release.of(version, platform);
  }

  /** How to build it from source. */
  GoModule module() {
    return new GoModule(
        module.folder(),
        module.mainPackage(),
        module.stampVersion().replace("{v}", version.toString()));
  }
}
