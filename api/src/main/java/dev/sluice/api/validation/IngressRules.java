package dev.sluice.api.validation;

import dev.sluice.api.deployment.IngressAddress;
import dev.sluice.api.deployment.IngressSpec;
import io.fabric8.kubernetes.api.model.networking.v1.IngressTLS;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code spec.ingress}. */
final class IngressRules implements Rule {
  private static final String PATH = "spec.ingress.template";
  private static final String EXAMPLE = "{{name}}.{{namespace}}.flink.example.com";

  @Override
  public void check(Subject subject, Report report) {
    IngressSpec ingress = subject.spec().ingress();
    if (ingress == null) {
      return;
    }
    checkTemplate(subject, ingress.template(), report);
    if (ingress.className() != null) {
      NameRules.subdomain("spec.ingress.className", ingress.className(), "IngressClass", report);
    }
    ingress
        .labels()
        .forEach((key, value) -> NameRules.labelEntry("spec.ingress.labels", key, value, report));
    ingress
        .annotations()
        .keySet()
        .forEach(key -> NameRules.key("spec.ingress.annotations", key, report));
    for (int i = 0; i < ingress.tls().size(); i++) {
      checkTls("spec.ingress.tls[" + i + "]", ingress.tls().get(i), report);
    }
  }

  private static void checkTemplate(Subject subject, @Nullable String template, Report report) {
    if (template == null || template.isBlank()) {
      report.add(PATH, "must be given. Set it to a host or host/path, for example " + EXAMPLE);
      return;
    }
    String namespace = subject.namespace().isEmpty() ? "default" : subject.namespace();
    try {
      IngressAddress unused = IngressAddress.of(template, subject.name(), namespace);
    } catch (IllegalArgumentException e) {
      report.add(
          PATH,
          "must be a host, host/path or URL such as "
              + EXAMPLE
              + ", but is "
              + Printable.quoted(template));
    }
  }

  private static void checkTls(String path, IngressTLS tls, Report report) {
    if (tls.getSecretName() != null) {
      NameRules.secret(path + ".secretName", tls.getSecretName(), report);
    }
    List<String> hosts = Objects.requireNonNullElse(tls.getHosts(), List.of());
    for (String host : hosts) {
      if (!IngressAddress.isHost(host)) {
        report.add(path + ".hosts", "must be host names, but has " + Printable.quoted(host));
      }
    }
  }
}
