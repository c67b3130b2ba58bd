package dev.sluice.api.validation;

import dev.sluice.api.deployment.IngressSpec;
import java.net.MalformedURLException;
import java.net.URL;

final class IngressRules implements Rule {
  private static final String PATH = "spec.ingress.template";
  private static final String EXAMPLE = "{{name}}.{{namespace}}.flink.example.com";

  @Override
  public void check(Subject subject, Report report) {
    IngressSpec ingress = subject.spec().ingress();
    if (ingress == null) {
      return;
    }
    String template = ingress.template();
    if (template == null || template.isBlank()) {
      report.add(PATH, "must be given. Set it to a host or host/path, for example " + EXAMPLE);
      return;
    }
    String text =
        template.replace("{{name}}", subject.name()).replace("{{namespace}}", subject.namespace());
    try {
      checkUrl(text.contains("://") ? text : "http://" + text);
    } catch (MalformedURLException e) {
      report.add(
          PATH,
          "must be a host, host/path or URL such as "
              + EXAMPLE
              + ", is '"
              + template
              + "': "
              + e.getMessage());
    }
  }

  /** Paths may be patterns ({@code (/|$)(.*)}), which {@link java.net.URI} would not take. */
  private static void checkUrl(String text) throws MalformedURLException {
    URL url = new URL(text);
    if (url.getPort() > 65_535) {
      throw new MalformedURLException("no such port: " + url.getPort());
    }
  }
}
