package dev.sluice.e2e.bench;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Calls, counted.
 *
 * @param calls in any order
 */
public record CallCount(List<ApiCall> calls) {

  public CallCount {
    calls = List.copyOf(calls);
  }

  /** Those that changed something, leases apart. */
  public long writes() {
    return count(ApiCall::isWrite);
  }

  /** Those for leader election, reads and writes. */
  public long leases() {
    return count(ApiCall::isLease);
  }

  /** All others. */
  public long reads() {
    return count(call -> !call.isWrite() && !call.isLease());
  }

  /** The writes by what they were, such as {@code 3 worker patch flinkdeployments/status}. */
  public String writesByKind() {
    return byKind(ApiCall::isWrite);
  }

  /** The reads by what they were. */
  public String readsByKind() {
    return byKind(call -> !call.isWrite() && !call.isLease());
  }

  private long count(Predicate<ApiCall> which) {
    return calls.stream().filter(which).count();
  }

  private String byKind(Predicate<ApiCall> which) {
    Map<String, Long> kinds =
        calls.stream()
            .filter(which)
            .collect(Collectors.groupingBy(CallCount::kind, TreeMap::new, Collectors.counting()));
    return kinds.entrySet().stream()
        .map(kind -> kind.getValue() + " " + kind.getKey())
        .collect(Collectors.joining(", "));
  }

  private static String kind(ApiCall call) {
    String refused = call.code() >= 400 ? " (" + call.code() + ")" : "";
    return call.program().replace("sluice-", "")
        + " "
        + call.verb()
        + " "
        + call.resource()
        + refused;
  }
}
