package dev.sluice.local.chart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.temporal.ChronoUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The chart as helm renders it. What {@code deploy/helm/rendered} holds is applied by the laptop
 * cluster, and gives other tests their rights.
 */
@ExtendWith(ApiServer.Extension.class)
class ChartIT {

  private static final YAMLMapper YAML = new YAMLMapper();

  /** Kinds of other projects, which this API server does not serve. */
  private static final Set<String> FOREIGN = Set.of("Certificate", "Issuer", "ServiceMonitor");

  private static final Helm HELM = new Helm();

  /** Namespaces and what controllers make are there; Pod Security is enforced in Sluice's own. */
  @BeforeAll
  static void prepare(ApiServer server) {
    KubernetesClient client = server.client();
    for (String name :
        List.of("sluice-system", "default", "orders", "payments", "streams", "streams-test")) {
      client
          .resource(
              new NamespaceBuilder()
                  .withNewMetadata()
                  .withName(name)
                  .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                  .endMetadata()
                  .build())
          .serverSideApply();
    }
    client
        .resource(
            new PriorityClassBuilder()
                .withNewMetadata()
                .withName("platform")
                .endMetadata()
                .withValue(1000)
                .build())
        .serverSideApply();
  }

  @ParameterizedTest
  @ValueSource(strings = {"laptop", "trial", "production", "namespaces"})
  void hasNoWarning(String values) {
    Helm.Result lint = HELM.lint(values);

    assertThat(lint.ok()).as(lint.output() + lint.errors()).isTrue();
  }

  /**
   * On an intended change copy target/rendered over deploy/helm/rendered and read the diff. The
   * rights in a whole cluster are the same for all values.
   */
  @ParameterizedTest
  @CsvSource({"laptop, true", "trial, false", "production, false", "namespaces, true"})
  void isRenderedAsCommitted(String values, boolean rights) throws IOException {
    String rendered =
        rendered(values, "--set=crds.install=false", "--set=rbac.create=" + rights, "--skip-tests");
    Path actual = Path.of("target/rendered", values + ".yaml");
    Files.createDirectories(actual.getParent());
    Files.writeString(actual, rendered);

    assertThat(Helm.FOLDER.resolve("rendered").resolve(values + ".yaml"))
        .as("as %s", actual)
        .hasContent(rendered);
  }

  /** What {@code mvn -Pimage package} calls the image is what the chart runs. */
  @Test
  void runsTheImageOfThisVersion() throws IOException {
    JsonNode chart = YAML.readTree(Files.readString(Helm.FOLDER.resolve("sluice/Chart.yaml")));

    assertThat(Files.readString(Helm.FOLDER.resolve("../../pom.xml")))
        .containsPattern(
            "<artifactId>sluice-parent</artifactId>\\s+<version>%s</version>"
                .formatted(chart.path("appVersion").asText()));
  }

  @Test
  void installsTheCommittedDefinitionsAndKeepsThem() throws IOException {
    List<CustomResourceDefinition> committed = new ArrayList<>();
    try (var files = Files.list(Helm.FOLDER.resolve("../crds"))) {
      for (Path file : files.toList()) {
        committed.add(
            Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class));
      }
    }

    List<CustomResourceDefinition> installed = new ArrayList<>();
    for (JsonNode it : documents(rendered("trial", "--show-only=templates/crds.yaml"))) {
      installed.add(Serialization.unmarshal(it.toString(), CustomResourceDefinition.class));
    }

    assertThat(installed)
        .extracting(it -> it.getMetadata().getAnnotations().get("helm.sh/resource-policy"))
        .containsOnly("keep");
    assertThat(installed)
        .usingRecursiveFieldByFieldElementComparatorOnFields("metadata.name", "spec")
        .containsExactlyInAnyOrderElementsOf(committed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          temporal.adress=a:1                      | additional properties 'adress' not allowed
          temporal.address=https://a:7233          | at '/temporal/address'
          temporal.devServer.enabled=true          | exclude each other
          controller.replicas=two                  | at '/controller/replicas'
          watchNamespaces={kube-system}            | at '/watchNamespaces/0'
          settings.SLUICE_HTTP_PORT=1              | invalid propertyName 'SLUICE_HTTP_PORT'
          settings.STABLE_AFTER=30s                | invalid propertyName 'STABLE_AFTER'
          webhook.failurePolicy=Maybe              | at '/webhook/failurePolicy'
          webhook.certificate.certManager=false,webhook.certificate.caBundle=TFM= | at '/webhook/certificate
          watchNamespaces={a},watchNamespaceLabels.b=c | exclude each other
          topologySpreadConstraints[0].maxSkew=1   | missing properties
          image.digest=latest                      | at '/image/digest'
          """)
  void refusesAWrongValue(String value, String problem) {
    Helm.Result result = HELM.template("--values=values/laptop.yaml", "--set", value);

    assertThat(result.ok()).isFalse();
    assertThat(result.errors()).contains(problem);
  }

  @Test
  void needsATemporal() {
    assertThat(HELM.template().errors())
        .contains("temporal.address is missing", "temporal.devServer.enabled=true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"laptop", "trial", "production", "namespaces"})
  void isAcceptedByTheApiServer(String values, ApiServer server) {
    KubernetesClient client = server.client();
    for (HasMetadata object : objects(client, rendered(values, "--set=crds.install=false"))) {
      if (object instanceof ServiceAccount) {
        client.resource(object).serverSideApply(); // pods need it
      }
      assertThatCode(() -> client.resource(object).dryRun().serverSideApply())
          .as("%s %s", object.getKind(), object.getMetadata().getName())
          .doesNotThrowAnyException();
    }
  }

  @Test
  void hasAnExampleThatTheApiServerAccepts(ApiServer server) throws IOException {
    String example = Files.readString(Helm.FOLDER.resolve("examples/state-machine.yaml"));

    assertThat(objects(server.client(), example))
        .hasSize(2)
        .allSatisfy(it -> server.client().resource(it).dryRun().serverSideApply());
  }

  /** Deployments are not refused by Pod Security; their pods would be. */
  @ParameterizedTest
  @ValueSource(strings = {"trial", "production", "namespaces"})
  void hasPodsThatPodSecurityRestrictedAdmits(String values, ApiServer server) {
    KubernetesClient client = server.client();
    Set<String> admitted = new HashSet<>();
    for (HasMetadata object : objects(client, rendered(values))) {
      if (object instanceof ServiceAccount) {
        client.resource(object).serverSideApply();
      } else if (object instanceof Deployment deployment) {
        Pod pod = pod(deployment.getMetadata(), deployment.getSpec().getTemplate());
        admitted.add(client.resource(pod).dryRun().create().getMetadata().getName());
      }
    }

    assertThat(admitted).contains("sluice-controller", "sluice-worker");
  }

  /** Else a machine with too little CPU restarts them forever. */
  @Test
  void doesNotRestartAProcessThatIsSlow(ApiServer server) {
    List<Container> containers =
        objects(server.client(), rendered("trial")).stream()
            .filter(Deployment.class::isInstance)
            .flatMap(it -> containers((Deployment) it).stream())
            .toList();

    assertThat(containers)
        .hasSize(3)
        .allSatisfy(it -> assertThat(patience(it.getStartupProbe())).isGreaterThanOrEqualTo(300))
        .allSatisfy(it -> assertThat(patience(it.getLivenessProbe())).isGreaterThanOrEqualTo(60))
        .flatExtracting(Container::getStartupProbe, Container::getLivenessProbe)
        .extracting("timeoutSeconds")
        .containsOnly(10);
  }

  private static List<Container> containers(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec().getContainers();
  }

  /** Seconds without an answer until a restart. */
  private static int patience(Probe probe) {
    return probe.getPeriodSeconds() * probe.getFailureThreshold();
  }

  private static Pod pod(ObjectMeta owner, PodTemplateSpec template) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(owner.getName())
        .withNamespace(owner.getNamespace())
        .endMetadata()
        .withSpec(template.getSpec())
        .build();
  }

  private static List<HasMetadata> objects(KubernetesClient client, String manifest) {
    return client.load(new ByteArrayInputStream(manifest.getBytes(UTF_8))).items().stream()
        .filter(it -> !FOREIGN.contains(it.getKind()))
        .toList();
  }

  /** The account of a Sluice for some namespaces reads which cluster this is, and nothing else. */
  @Test
  void givesRightsInItsNamespacesAlone() throws IOException {
    List<JsonNode> roles =
        documents(rendered("namespaces", "--show-only=templates/rbac.yaml")).stream()
            .filter(it -> it.has("rules"))
            .toList();

    assertThat(roles).allMatch(it -> it.path("kind").asText().equals("Role"));
    assertThat(roles.stream().map(it -> it.at("/metadata/namespace").asText()).distinct())
        .containsExactlyInAnyOrder("streams", "streams-test", "kube-system", "sluice-system");
    assertThat(roles)
        .filteredOn(it -> it.at("/metadata/namespace").asText().equals("kube-system"))
        .allMatch(
            it ->
                it.path("rules")
                    .toString()
                    .equals(
                        "[{\"apiGroups\":[\"\"],\"resources\":[\"namespaces\"],"
                            + "\"resourceNames\":[\"kube-system\"],\"verbs\":[\"get\"]}]"));
  }

  @Test
  void watchesTheLabelsOfNamespacesWithTheRightTo() {
    String rendered =
        rendered(
            "laptop",
            "--set=webhook.enabled=true,watchNamespaceLabels.team=a,watchNamespaceLabels.run=b");

    assertThat(rendered)
        .contains("SLUICE_WATCH_NAMESPACE_SELECTOR: \"run=b,team=a\"")
        .containsPattern("resources: \\[namespaces]\\s+#.*\\s+verbs: \\[list, watch]")
        .containsPattern("namespaceSelector:\\s+matchLabels:\\s+run: b\\s+team: a");
  }

  /** As {@code helm upgrade} finds it in the cluster. */
  @Test
  void keepsTheCertificateThatItMadeForAYearAndTrustsItOnceMore(
      ApiServer server, @TempDir Path folder) throws Exception {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    KubernetesClient client = server.client();
    Secret made = certificate(client, kubeconfig);
    X509Certificate certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(
                    new ByteArrayInputStream(pem(made, "tls.crt").getBytes(UTF_8)));

    assertThat(certificate.getSubjectAlternativeNames())
        .containsExactly(List.of(2, "sluice-webhook.sluice-system.svc"));
    assertThat(certificate.getNotAfter()).isAfter(Instant.now().plus(3649, DAYS));
    assertThat(pem(made, "tls.key")).startsWith("-----BEGIN PRIVATE KEY-----");

    client.resource(made).create();
    assertThat(certificate(client, kubeconfig).getData()).isEqualTo(made.getData());

    String old = String.valueOf(Instant.now().minus(366, DAYS).getEpochSecond());
    made.getMetadata().getAnnotations().put("sluice.dev/made", old);
    client.resource(made).update();
    Secret renewed = certificate(client, kubeconfig);
    client.resource(made).delete();

    assertThat(renewed.getMetadata().getAnnotations().get("sluice.dev/made")).isGreaterThan(old);
    assertThat(pem(renewed, "tls.crt")).isNotEqualTo(pem(made, "tls.crt"));
    assertThat(pem(renewed, "ca.crt")).isEqualTo(pem(renewed, "tls.crt") + pem(made, "tls.crt"));
  }

  /** The Secret of the webhook, which is what its configuration trusts. */
  private static Secret certificate(KubernetesClient client, Path kubeconfig) {
    List<HasMetadata> objects =
        objects(
            client,
            rendered(
                "laptop",
                "--show-only=templates/webhook.yaml",
                "--set=webhook.enabled=true,webhook.certificate.certManager=false",
                "--dry-run=server",
                "--kubeconfig=" + kubeconfig));
    Secret secret = only(Secret.class, objects);
    assertThat(
            only(ValidatingWebhookConfiguration.class, objects)
                .getWebhooks()
                .get(0)
                .getClientConfig()
                .getCaBundle())
        .isEqualTo(secret.getData().get("ca.crt"));
    return secret;
  }

  private static <T> T only(Class<T> type, List<HasMetadata> objects) {
    return objects.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }

  private static String pem(Secret secret, String key) {
    return new String(Base64.getDecoder().decode(secret.getData().get(key)), UTF_8);
  }

  private static String rendered(String values, String... arguments) {
    List<String> words = new ArrayList<>(List.of("--values=values/" + values + ".yaml"));
    words.addAll(List.of(arguments));
    Helm.Result result = HELM.template(words.toArray(String[]::new));
    assertThat(result.ok()).as(result.errors()).isTrue();
    return result.output();
  }

  private static List<JsonNode> documents(String manifest) throws IOException {
    return YAML.readerFor(JsonNode.class).<JsonNode>readValues(manifest).readAll();
  }
}
