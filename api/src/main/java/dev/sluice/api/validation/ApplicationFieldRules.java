package dev.sluice.api.validation;

import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.deployment.ClusterSize;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The name, the image, the jar, the ports: fields that stand for themselves. */
final class ApplicationFieldRules implements ApplicationValidation.ApplicationRule {
  private static final Pattern NAME = Pattern.compile("[a-z]([-a-z\\d]{0,50}[a-z\\d])?");
  private static final Pattern JAR = Pattern.compile("[^/\\s]+");
  private static final Set<String> PULL_POLICIES = Set.of("Always", "Never", "IfNotPresent");
  private static final int LARGEST_PORT = 65_535;
  private static final int MOST_REPLICAS = 100;
  private static final int MOST_SLOTS = 1024;

  @Override
  public void check(FlinkApplication resource, Report report) {
    FlinkApplicationSpec spec = resource.getSpec();
    String name = Objects.requireNonNullElse(resource.getMetadata().getName(), "");
    if (!NAME.matcher(name).matches()) {
      report.add(
          "metadata.name",
          "must be at most 52 characters: lower-case letters, digits and '-', beginning with a"
              + " letter and not ending with '-', but is "
              + Printable.quoted(name)
              + ". Create the resource under another name");
    }
    String image = spec.image();
    if (image == null || image.isBlank() || image.codePoints().anyMatch(Character::isWhitespace)) {
      report.add("spec.image", "must name an image that has the jar, " + butIs(image));
    }
    if (!PULL_POLICIES.contains(spec.imagePullPolicy())) {
      report.add(
          "spec.imagePullPolicy",
          "must be Always, Never or IfNotPresent, " + butIs(spec.imagePullPolicy()));
    }
    String jar = spec.jarName();
    if (jar == null || !JAR.matcher(jar).matches()) {
      report.add(
          "spec.jarName",
          "must be the name of a file in <web.upload.dir>/flink-web-upload of the image, without a"
              + " folder, "
              + butIs(jar));
    }
    if (spec.entryClass() == null) {
      report.add("spec.entryClass", "must name the main class of the job");
    }
    checkNumbers(spec, report);
    checkPorts(spec, report);
  }

  private static String butIs(@Nullable String value) {
    return value == null ? "but is not given" : "but is " + Printable.quoted(value);
  }

  private static void checkNumbers(FlinkApplicationSpec spec, Report report) {
    Integer parallelism = spec.parallelism();
    if (parallelism == null) {
      report.add("spec.parallelism", "must be given");
    } else {
      range("spec.parallelism", parallelism, 1, ClusterSize.MAX_PARALLELISM, report);
    }
    range(
        "spec.jobManagerConfig.replicas",
        spec.jobManagerConfig().replicas(),
        1,
        MOST_REPLICAS,
        report);
    range(
        "spec.taskManagerConfig.taskSlots",
        spec.taskManagerConfig().taskSlots(),
        1,
        MOST_SLOTS,
        report);
    range(
        "spec.maxCheckpointRestoreAgeSeconds",
        spec.maxCheckpointRestoreAgeSeconds(),
        1,
        Integer.MAX_VALUE,
        report);
  }

  private static void checkPorts(FlinkApplicationSpec spec, Report report) {
    Map<Integer, String> taken = new LinkedHashMap<>();
    Map<String, Integer> ports = new LinkedHashMap<>();
    ports.put("spec.rpcPort", spec.rpcPort());
    ports.put("spec.queryPort", spec.queryPort());
    ports.put("spec.blobPort", spec.blobPort());
    ports.put("spec.uiPort", spec.uiPort());
    ports.put("spec.metricsQueryPort", spec.metricsQueryPort());
    ports.forEach(
        (path, port) -> {
          range(path, port, 1, LARGEST_PORT, report);
          String other = taken.putIfAbsent(port, path);
          if (other != null) {
            report.add(path, "must differ from " + other + ", but both are " + port);
          }
        });
  }

  private static void range(String path, int number, int least, int most, Report report) {
    if (number < least || number > most) {
      report.add(path, "must be between %d and %d, but is %d".formatted(least, most, number));
    }
  }
}
