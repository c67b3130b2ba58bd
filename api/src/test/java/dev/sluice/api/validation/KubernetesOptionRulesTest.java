package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubernetesOptionRulesTest {

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "kubernetes.jobmanager.annotations | prometheus.io/scrape:true",
        "kubernetes.jobmanager.annotations.prometheus.io/scrape | any text at all",
        "kubernetes.jobmanager.node-selector | zone:a",
        "kubernetes.jobmanager.tolerations | key:a,operator:Exists,effect:NoExecute",
        "kubernetes.jobmanager.tolerations | key:a,tolerationSeconds:60",
        "kubernetes.secrets | token:/etc/token",
        "kubernetes.env.secretKeyRef | env:A,secret:s,key:k;env:B,secret:s,key:l",
        "kubernetes.rest-service.exposed.type | NodePort",
        "kubernetes.rest-service.exposed.type | clusterip",
        "kubernetes.rest-service.exposed.type | Headless_ClusterIP",
        "kubernetes.hadoop.conf.config-map.name | hadoop.conf",
        "containerized.master.env.AWS_REGION | eu",
        "containerized.taskmanager.env.a.b-c_d | x",
      })
  void whatKubernetesTakesIsFine(String key, String value) {
    assertThat(Specs.messages(Specs.configured(key, value))).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "kubernetes.jobmanager.annotations | a | must be key:value pairs, but 'a' is none",
        "kubernetes.jobmanager.annotations | a:'b | has a quote that is not closed",
        "kubernetes.taskmanager.annotations | a/b/c:d | must have keys like",
        "kubernetes.rest-service.annotations | -:d | must have keys like",
        "kubernetes.jobmanager.tolerations | tolerationSeconds:soon | must have a whole number of"
            + " tolerationSeconds, but has 'soon'",
        "kubernetes.taskmanager.tolerations | key | must be key:value pairs",
        "kubernetes.secrets | Token:/x | must be the name of a volume, made of the Secret",
        "kubernetes.secrets | a.b:/x | must be the name of a volume, made of the Secret",
        "kubernetes.env.secretKeyRef | env:A,secret:s | must be items like"
            + " env:NAME,secret:my-secret,key:my-key",
        "kubernetes.env.secretKeyRef | env:1A,secret:s,key:k | must be the name of an environment",
        "kubernetes.env.secretKeyRef | env:A,secret:S,key:k | must be the name of a Secret",
        "kubernetes.rest-service.exposed.type | Ingress | must be ClusterIP, NodePort, LoadBalancer"
            + " or Headless_ClusterIP, but is 'Ingress'",
        "kubernetes.hadoop.conf.config-map.name | Hadoop | must be the name of a ConfigMap",
        "containerized.master.env.1A | x | must be the name of an environment variable",
        "containerized.taskmanager.env.A=B | x | must be the name of an environment variable",
      })
  void whatKubernetesWouldRefuseIsReportedWithItsKey(String key, String value, String message) {
    assertThat(Specs.messages(Specs.configured(key, value)))
        .singleElement()
        .asString()
        .startsWith("spec.flinkConfiguration." + key + ": " + message);
  }
}
