package dev.sluice.api.validation;

import dev.sluice.api.common.KubernetesNames;
import dev.sluice.api.deployment.IngressSpec;
import io.fabric8.kubernetes.api.model.networking.v1.IngressTLS;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code spec.ingress}. */
final class IngressRules implements Rule {
  private static final String PATH = "spec.ingress.template";
  private static final String EXAMPLE = "{{name}}.{{namespace}}.flink.example.com";
  private static final int LARGEST_PORT = 65_535;

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
    String text = template.replace("{{name}}", subject.name()).replace("{{namespace}}", namespace);
    try {
      checkUrl(text.contains("://") ? text : "http://" + text);
    } catch (MalformedURLException e) {
      report.add(
          PATH,
          "must be a host, host/path or URL such as "
              + EXAMPLE
              + ", but is "
              + Printable.quoted(template));
    }
  }

  /** Paths may be patterns ({@code (/|$)(.*)}), which {@link java.net.URI} would not take. */
  private static void checkUrl(String text) throws MalformedURLException {
    URL url = new URL(text);
    if (url.getPort() > LARGEST_PORT) {
      throw new MalformedURLException("no such port: " + url.getPort());
    }
    if (!url.getHost().isEmpty() && !isHost(url.getHost())) {
      throw new MalformedURLException("no such host: " + url.getHost());
    }
  }

  private static void checkTls(String path, IngressTLS tls, Report report) {
    if (tls.getSecretName() != null) {
      NameRules.secret(path + ".secretName", tls.getSecretName(), report);
    }
    List<String> hosts = Objects.requireNonNullElse(tls.getHosts(), List.of());
    for (String host : hosts) {
      if (!isHost(host)) {
        report.add(path + ".hosts", "must be host names, but has " + Printable.quoted(host));
      }
    }
  }

  /** A name, or {@code *.} and a name. */
  private static boolean isHost(String text) {
    return KubernetesNames.isDnsSubdomain(text.startsWith("*.") ? text.substring(2) : text);
  }
}
