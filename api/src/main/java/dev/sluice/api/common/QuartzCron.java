package dev.sluice.api.common;

import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A cron expression of Quartz, which Apache's operator takes: six or seven fields, the first of
 * which are seconds. Each field is the set of its values; of a time all fields must fit.
 *
 * @param seconds 0 to 59
 * @param minutes 0 to 59
 * @param hours 0 to 23
 * @param daysOfMonth 1 to 31
 * @param months 1 to 12
 * @param daysOfWeek 0 (Sunday) to 6, one less than in the expression
 * @param years 1970 to 2099
 */
public record QuartzCron(
    SortedSet<Integer> seconds,
    SortedSet<Integer> minutes,
    SortedSet<Integer> hours,
    SortedSet<Integer> daysOfMonth,
    SortedSet<Integer> months,
    SortedSet<Integer> daysOfWeek,
    SortedSet<Integer> years) {

  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  /** How many fields it has at least. */
  static final int FIELDS = 6;

  private static final int FIRST_YEAR = 1970;
  private static final int LAST_YEAR = 2099;
  private static final Pattern PART =
      Pattern.compile("(?:(\\*)|(\\w+)(?:-(\\w+))?)(?:/(\\d{1,4}))?");
  private static final Pattern SPECIAL = Pattern.compile("(?i)(.*,)?(L|W|L-.*)|.*(#|\\d[LW]|LW).*");

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException when it is none, or needs what no calendar of Temporal can
   *     say: {@code L}, {@code W} and {@code #}
   */
  public static QuartzCron parse(String text) {
    String[] fields = text.trim().split("\\s+");
    if (fields.length < FIELDS || fields.length > FIELDS + 1) {
      throw new IllegalArgumentException(
          "must be a cron expression of 6 or 7 fields, the first of which are seconds, like"
              + " 0 0 3 * * ?");
    }
    String dayOfMonth = fields[3];
    String dayOfWeek = fields[5];
    boolean anyDayOfMonth = isAny(dayOfMonth);
    boolean anyDayOfWeek = isAny(dayOfWeek);
    if (!anyDayOfMonth && !anyDayOfWeek) {
      throw new IllegalArgumentException(
          "must have a ? as day of month (the 4th field) or as day of week (the 6th)");
    }
    return new QuartzCron(
        new Field("seconds", 0, 59, List.of()).values(fields[0]),
        new Field("minutes", 0, 59, List.of()).values(fields[1]),
        new Field("hours", 0, 23, List.of()).values(fields[2]),
        new Field("day of month", 1, 31, List.of()).values(anyDayOfMonth ? "*" : dayOfMonth),
        new Field("month", 1, 12, MONTHS).values(fields[4]),
        fromZero(new Field("day of week", 1, 7, DAYS).values(anyDayOfWeek ? "*" : dayOfWeek)),
        new Field("year", FIRST_YEAR, LAST_YEAR, List.of())
            .values(fields.length > FIELDS ? fields[6] : "*"));
  }

  /** Whether any year fits. */
  public boolean isAnyYear() {
    return years.size() == LAST_YEAR - FIRST_YEAR + 1;
  }

  private static boolean isAny(String day) {
    return day.equals("?") || day.equals("*");
  }

  private static SortedSet<Integer> fromZero(SortedSet<Integer> days) {
    TreeSet<Integer> shifted = new TreeSet<>();
    days.forEach(day -> shifted.add(day - 1));
    return shifted;
  }

  /**
   * A field of the expression.
   *
   * @param names of its values from the lowest on; empty where they are numbers only
   */
  private record Field(String name, int lowest, int highest, List<String> names) {

    SortedSet<Integer> values(String text) {
      if (SPECIAL.matcher(text).matches()) {
        throw new IllegalArgumentException(
            "must do without L, W and # (in %s), which are not supported".formatted(name));
      }
      TreeSet<Integer> values = new TreeSet<>();
      for (String part : text.split(",", -1)) {
        Matcher found = PART.matcher(part);
        if (!found.matches()) {
          throw unreadable();
        }
        add(values, found);
      }
      return values;
    }

    private void add(TreeSet<Integer> values, Matcher part) {
      boolean all = part.group(1) != null;
      boolean stepped = part.group(4) != null;
      int step = stepped ? Integer.parseInt(part.group(4)) : 1;
      int from = all ? lowest : number(part.group(2));
      int to = from;
      if (all || (stepped && part.group(3) == null)) {
        to = highest;
      } else if (part.group(3) != null) {
        to = number(part.group(3));
      }
      if (step < 1) {
        throw unreadable();
      }
      // 22-2 goes over the end
      int size = highest - lowest + 1;
      int end = to < from ? to + size : to;
      IntStream.iterate(from, at -> at <= end, at -> at + step)
          .forEach(at -> values.add(at > highest ? at - size : at));
    }

    private int number(String text) {
      int named = names.indexOf(text.toUpperCase(Locale.ROOT));
      if (named >= 0) {
        return lowest + named;
      }
      int number = text.matches("\\d{1,4}") ? Integer.parseInt(text) : lowest - 1;
      if (number < lowest || number > highest) {
        throw unreadable();
      }
      return number;
    }

    private IllegalArgumentException unreadable() {
      return new IllegalArgumentException(
          "must have values from %d to %d as %s".formatted(lowest, highest, name));
    }
  }
}
