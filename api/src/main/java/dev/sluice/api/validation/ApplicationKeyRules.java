package dev.sluice.api.validation;

import static dev.sluice.api.validation.ApplicationValidation.keyPath;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.ImageVersion;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.HighAvailabilityMode;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The Flink configuration, which the image's entry point gets as lines of text. */
final class ApplicationKeyRules implements ApplicationValidation.ApplicationRule {
  private static final String MAX_PARALLELISM = "pipeline.max-parallelism";
  private static final String SUBMIT = "web.submit.enable";
  private static final List<String> STORAGE =
      List.of("high-availability.storageDir", "high-availability.zookeeper.storageDir");

  @Override
  public void check(FlinkApplication resource, Report report) {
    FlinkApplicationSpec spec = resource.getSpec();
    JsonNode config = spec.flinkConfig();
    if (config == null) {
      return;
    }
    if (!config.isObject()) {
      report.add("spec.flinkConfig", "must be a map of keys to values");
      return;
    }
    checkNodes("", config, report);
    FlinkConfiguration own = spec.configuration();
    own.asMap().forEach((key, value) -> checkLine(key, value, report));
    checkSwitches(own, spec, report);
    checkHighAvailability(own, spec, report);
    checkMaxParallelism(own, spec.parallelism(), report);
  }

  private static void checkNodes(String prefix, JsonNode node, Report report) {
    node.properties()
        .forEach(
            field -> {
              String key = prefix + field.getKey();
              JsonNode value = field.getValue();
              if (value.isNull()) {
                report.add(keyPath(key), "must have a value. Give it one, or remove it");
              } else if (value.isArray()) {
                report.add(
                    keyPath(key), "must be one value, but is a list. Write it as Flink's text");
              } else if (value.isObject()) {
                checkNodes(key + ".", value, report);
              }
            });
  }

  private static void checkLine(String key, String value, Report report) {
    if (key.isEmpty()
        || key.indexOf(':') >= 0
        || key.codePoints().anyMatch(ConfigurationRules::isBlankOrControl)) {
      report.add(
          keyPath(key),
          "must be a key without blanks, colons and line breaks, but is " + Printable.quoted(key));
    }
    if (value.codePoints().anyMatch(Character::isISOControl)) {
      report.add(keyPath(key), "must be one line of text");
    }
  }

  private static void checkSwitches(
      FlinkConfiguration own, FlinkApplicationSpec spec, Report report) {
    if (!own.isOn(SUBMIT, true)) {
      report.add(keyPath(SUBMIT), "must not be false: jobs are submitted there. Remove it");
    }
    boolean isTwo =
        ImageVersion.of(spec.flinkVersion()).filter(it -> it.isAtLeast(2, 0)).isPresent();
    ConfigurationRules.restTlsKey(own, isTwo)
        .ifPresent(
            key ->
                report.notSupported(
                    keyPath(key),
                    "TLS for Flink's REST API is not supported for FlinkApplications. Set "
                        + FlinkConfiguration.REST_TLS
                        + " to false; TLS between Flink's processes"
                        + " (security.ssl.internal.enabled) works"));
    StateRules.checkCheckpointFolders(own, ApplicationValidation::keyPath, report);
  }

  private static void checkHighAvailability(
      FlinkConfiguration own, FlinkApplicationSpec spec, Report report) {
    boolean isOn = HighAvailabilityMode.of(own).isOn();
    if (!isOn && spec.jobManagerConfig().replicas() > 1) {
      report.add(
          "spec.jobManagerConfig.replicas",
          "must be 1 without high availability, but is "
              + spec.jobManagerConfig().replicas()
              + ". Set high-availability in spec.flinkConfig");
    }
    if (isOn && STORAGE.stream().noneMatch(own::has)) {
      report.add(
          keyPath(STORAGE.get(0)),
          "must be given for high availability. Set it to durable storage");
    }
  }

  private static void checkMaxParallelism(
      FlinkConfiguration own, @Nullable Integer parallelism, Report report) {
    if (own.getOrDefault(MAX_PARALLELISM, "").trim().equals("-1")) { // Flink's "not set"
      return;
    }
    Integer most = read(MAX_PARALLELISM, report, () -> own.integer(MAX_PARALLELISM).orElse(null));
    if (most != null && parallelism != null && parallelism > most) {
      report.add(
          "spec.parallelism",
          "must be at most %s, which is %d, but is %d"
              .formatted(keyPath(MAX_PARALLELISM), most, parallelism));
    }
  }

  private static <T> @Nullable T read(String key, Report report, Supplier<@Nullable T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      report.add(keyPath(key), String.valueOf(e.getMessage()).replaceFirst("^[^ ]*: ", ""));
      return null;
    }
  }
}
