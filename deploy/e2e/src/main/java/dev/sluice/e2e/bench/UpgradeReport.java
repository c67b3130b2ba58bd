package dev.sluice.e2e.bench;

import java.util.List;
import java.util.Locale;

/**
 * Measured upgrades, as text.
 *
 * @param rounds at least one
 */
record UpgradeReport(List<Round> rounds) {

  /**
   * One upgrade of each kind.
   *
   * @param number from 1
   * @param script what the bare steps took, in seconds
   * @param sluice from kubectl apply to Ready, in seconds
   * @param cost what controller and worker did for the latter
   */
  record Round(int number, double script, double sluice, CostMeter.Cost cost) {}

  UpgradeReport {
    rounds = List.copyOf(rounds);
  }

  static String header() {
    return "%nround  (a) script  (b) Sluice   b/a  writes  leases  reads  Flink requests%n"
        .formatted();
  }

  static String line(Round round) {
    CallCount api = round.cost().api();
    return String.format(
        Locale.ROOT,
        "%5d  %8.1f s  %8.1f s  %4.2f  %6d  %6d  %5d  %14d%n",
        round.number(),
        round.script(),
        round.sluice(),
        round.sluice() / round.script(),
        api.writes(),
        api.leases(),
        api.reads(),
        round.cost().flinkRequests());
  }

  /** Medians, their ratio, and what the writes and reads of the last round were. */
  String text() {
    double script = median(rounds.stream().map(Round::script).toList());
    double sluice = median(rounds.stream().map(Round::sluice).toList());
    double writes = median(rounds.stream().map(r -> (double) r.cost().api().writes()).toList());
    double requests = median(rounds.stream().map(r -> (double) r.cost().flinkRequests()).toList());
    CallCount last = rounds.get(rounds.size() - 1).cost().api();
    return String.format(
        Locale.ROOT,
        """

        median of %d rounds
          (a) the bare steps by script             %6.1f s
          (b) kubectl apply until Ready            %6.1f s
          ratio b/a                                %6.2f    (goal: <= 1.12)
          API-server writes of controller, worker  %6.0f    (goal: <= 12)
          Flink REST requests                      %6.0f
        writes of the last round: %s
        reads of the last round: %s
        """,
        rounds.size(),
        script,
        sluice,
        sluice / script,
        writes,
        requests,
        last.writesByKind(),
        last.readsByKind());
  }

  /** The one in the middle, or the mean of the two in the middle. */
  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }
}
