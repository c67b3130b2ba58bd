package dev.sluice.local.node.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodFieldsTest {

  /** As the API server hands it out: with all defaults, the token's volume and tolerations. */
  private static final String COMPLETE =
      """
      containers:
      - name: main
        image: flink:2.2
        command: [/docker-entrypoint.sh]
        args: [standalone-job]
        env: [{name: A, value: b}]
        ports: [{containerPort: 8081, protocol: TCP}]
        imagePullPolicy: IfNotPresent
        resources: {limits: {cpu: "1", memory: 1Gi}}
        securityContext: {runAsUser: 9999}
        terminationMessagePath: /dev/termination-log
        terminationMessagePolicy: File
        livenessProbe:
          httpGet: {path: /healthz, port: 8081, scheme: HTTP}
          failureThreshold: 3
          periodSeconds: 10
          successThreshold: 1
          timeoutSeconds: 1
        readinessProbe: {tcpSocket: {port: 8081}}
        volumeMounts:
        - {name: kube-api-access-7x2lq, mountPath: /var/run/secrets, readOnly: true}
      dnsPolicy: ClusterFirst
      enableServiceLinks: true
      nodeName: laptop
      nodeSelector: {disk: ssd}
      preemptionPolicy: PreemptLowerPriority
      priority: 0
      restartPolicy: Always
      schedulerName: default-scheduler
      securityContext: {}
      serviceAccount: default
      serviceAccountName: default
      terminationGracePeriodSeconds: 30
      tolerations:
      - {effect: NoExecute, key: node.kubernetes.io/not-ready, operator: Exists, tolerationSeconds: 300}
      volumes:
      - name: kube-api-access-7x2lq
        projected: {defaultMode: 420, sources: [{serviceAccountToken: {path: token}}]}
      """;

  @Test
  void aPodThatAsksForNothingUnusualIsStarted() {
    assertThat(refused(COMPLETE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "activeDeadlineSeconds: 60                        | activeDeadlineSeconds",
        "hostAliases: [{ip: 127.0.0.9, hostnames: [a]}]   | hostAliases",
        "readinessGates: [{conditionType: a}]             | readinessGates",
        "resourceClaims: [{name: gpu}]                    | resourceClaims",
      })
  void aFieldOfThePodThatTheNodeDoesNotHonourIsNamed(String field, String name) {
    assertThat(refused(COMPLETE + field)).containsExactly(name);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "workingDir: /tmp                                                   | workingDir",
        "restartPolicy: Always                                              | restartPolicy",
        "lifecycle: {preStop: {sleep: {seconds: 1}}}                        | lifecycle",
        "volumeDevices: [{name: a, devicePath: /dev/b}]                     | volumeDevices",
        "volumeMounts: [{name: a, mountPath: /b, subPathExpr: $(POD)}]      |"
            + " volumeMounts.subPathExpr",
        "livenessProbe: {exec: {command: [a]}}                              | livenessProbe.exec",
        "livenessProbe: {httpGet: {port: 1, scheme: HTTPS}}                 |"
            + " livenessProbe.httpGet.scheme HTTPS",
        "startupProbe: {grpc: {port: 1}}                                    | startupProbe.grpc",
        "readinessProbe: {tcpSocket: {port: 1, host: a}}                    |"
            + " readinessProbe.tcpSocket.host",
        "readinessProbe: {httpGet: {port: 1, httpHeaders: [{name: A, value: b}]}}"
            + " | readinessProbe.httpGet.httpHeaders",
      })
  void aFieldOfTheContainerThatTheNodeDoesNotHonourIsNamed(String field, String name) {
    assertThat(refused("containers:\n- name: main\n  " + field)).containsExactly(name);
  }

  @Test
  void whatAnotherContainerAsksForIsItsOwnAffair() {
    assertThat(refused("containers: [{name: main}, {name: other, workingDir: /tmp}]")).isEmpty();
  }

  private static List<String> refused(String yaml) {
    PodSpec pod = Serialization.unmarshal(yaml, PodSpec.class);
    try {
      return PodFields.read().refused(pod, pod.getContainers().get(0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
