package dev.sluice.worker;

import dev.sluice.activities.manifest.application.ApplicationOptions;
import dev.sluice.bootstrap.Settings;
import dev.sluice.workflows.application.VersionLimits;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the worker for FlinkApplications.
 *
 * @param options {@code SLUICE_APPLICATION_INGRESS_URL_FORMAT}, {@code _CONTAINER_NAME_FORMAT} and
 *     {@code _SCHEDULER_NAME}: as the operator of Lyft has them
 * @param limits {@code SLUICE_APPLICATION_CLUSTER_TIMEOUT}, 15 min, {@code _SAVEPOINT_TIMEOUT}, 11
 *     min, {@code _CANCEL_TIMEOUT}, 3 min, {@code _SUBMIT_TIMEOUT}, 6 min, {@code _JOB_TIMEOUT} and
 *     {@code _DELETE_TIMEOUT}, 5 min: how long the steps may take
 */
public record ApplicationSettings(ApplicationOptions options, VersionLimits limits) {

  private static final String PREFIX = "SLUICE_APPLICATION_";
  private static final String JOB_CLUSTER = "{{$jobCluster}}";
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern HOST = Pattern.compile(LABEL + "([.]" + LABEL + ")*");

  /** Reads them; what is wrong shows at {@link Settings#check()}. */
  static ApplicationSettings from(Settings settings) {
    return new ApplicationSettings(options(settings), limits(settings));
  }

  private static ApplicationOptions options(Settings settings) {
    return new ApplicationOptions(
        text(
            settings,
            "INGRESS_URL_FORMAT",
            "a host with {{$jobCluster}}, such as {{$jobCluster}}.flink.example.com",
            it -> it.contains(JOB_CLUSTER) && matches(HOST, it.replace(JOB_CLUSTER, "a"))),
        text(
            settings,
            "CONTAINER_NAME_FORMAT",
            "a name of small letters, digits and - with %s, such as flink-%s",
            it -> it.contains("%s") && matches(LABEL, it.replace("%s", "taskmanager"))),
        text(settings, "SCHEDULER_NAME", "the name of a scheduler", it -> matches(HOST, it)));
  }

  private static boolean matches(Pattern pattern, String text) {
    return pattern.matcher(text).matches();
  }

  private static @Nullable String text(
      Settings settings, String name, String allowed, Predicate<String> fits) {
    String value = settings.optionalText(PREFIX + name);
    if (value != null && !fits.test(value)) {
      settings.problem(PREFIX + name, allowed);
    }
    return value;
  }

  private static VersionLimits limits(Settings settings) {
    VersionLimits usual = VersionLimits.DEFAULT;
    return new VersionLimits(
        limit(settings, "CLUSTER_TIMEOUT", usual.clusterMs()),
        limit(settings, "SAVEPOINT_TIMEOUT", usual.savepointMs()),
        limit(settings, "CANCEL_TIMEOUT", usual.cancelMs()),
        limit(settings, "SUBMIT_TIMEOUT", usual.submitMs()),
        limit(settings, "JOB_TIMEOUT", usual.jobMs()),
        limit(settings, "DELETE_TIMEOUT", usual.goneMs()));
  }

  private static long limit(Settings settings, String name, long usualMs) {
    return settings
        .duration(
            PREFIX + name, Duration.ofMillis(usualMs), Duration.ofSeconds(10), Duration.ofHours(24))
        .toMillis();
  }
}
