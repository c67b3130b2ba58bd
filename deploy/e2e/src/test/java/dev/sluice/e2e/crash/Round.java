package dev.sluice.e2e.crash;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Operations on different resources that are under way at the same time, and what is killed
 * meanwhile. One operation goes through all of its points, so that few Flink clusters are started;
 * and one kill hits a point of each operation.
 *
 * @param victim what is killed
 * @param shares what is done with each resource
 */
record Round(Victim victim, List<Share> shares) {

  /**
   * The operations that share a round, each of another line of resources. They take about the same
   * steps, so that none waits for the other, and follow each other as in the life of a resource.
   */
  private static final List<List<Operation>> TOGETHER =
      List.of(
          List.of(Operation.DEPLOY),
          List.of(Operation.UPGRADE, Operation.STATELESS),
          List.of(Operation.ROLLBACK, Operation.RECOVER),
          List.of(Operation.REDEPLOY, Operation.LAST_STATE),
          List.of(Operation.SUSPEND, Operation.ABORT),
          List.of(Operation.RESUME),
          List.of(Operation.DELETE, Operation.STABLE_AFTER));

  /**
   * What is done with one resource.
   *
   * @param line of resources of one kind, from 0: a line has one for each moment, and goes from
   *     round to round
   * @param points all of one operation and one moment
   */
  record Share(int line, List<Point> points) {

    Operation operation() {
      return points.get(0).operation();
    }

    KillMoment moment() {
      return points.get(0).moment();
    }
  }

  /** Puts points into rounds, in the order in which they are to be run. */
  static List<Round> of(List<Point> points) {
    return Stream.of(Victim.values())
        .flatMap(
            victim ->
                TOGETHER.stream()
                    .map(operations -> new Round(victim, shares(points, victim, operations))))
        .filter(it -> !it.shares().isEmpty())
        .toList();
  }

  private static List<Share> shares(List<Point> points, Victim victim, List<Operation> operations) {
    return IntStream.range(0, operations.size())
        .boxed()
        .flatMap(
            line ->
                Stream.of(KillMoment.values())
                    .map(
                        moment ->
                            new Share(
                                line,
                                points.stream()
                                    .filter(it -> it.victim() == victim)
                                    .filter(it -> it.operation() == operations.get(line))
                                    .filter(it -> it.moment() == moment)
                                    .toList())))
        .filter(it -> !it.points().isEmpty())
        .toList();
  }
}
