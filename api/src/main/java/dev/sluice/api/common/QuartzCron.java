package dev.sluice.api.common;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Cron expressions of Quartz, which Apache's operator takes: six or seven fields, the first of
 * which are seconds. Of a time all fields must fit.
 */
final class QuartzCron {
  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
  private static final List<Field> ALL =
      List.of(
          new Field("seconds", 0, 59, List.of()),
          new Field("minutes", 0, 59, List.of()),
          new Field("hours", 0, 23, List.of()),
          new Field("day of month", 1, 31, List.of()),
          new Field("month", 1, 12, MONTHS),
          new Field("day of week", 1, 7, DAYS),
          new Field("year", 1970, 2099, List.of()));

  /** How many fields it has at least. */
  static final int FIELDS = 6;

  private static final int DAY_OF_MONTH = 3;
  private static final int DAY_OF_WEEK = 5;
  private static final Set<String> ANY = Set.of("?", "*");
  private static final Pattern PART =
      Pattern.compile("(?:(\\*)|(\\w+)(?:-(\\w+))?)(?:/(\\d{1,4}))?");
  private static final Pattern SPECIAL = Pattern.compile("(?i)(.*,)?(L|W|L-.*)|.*(#|\\d[LW]|LW).*");

  private QuartzCron() {}

  /**
   * As Temporal reads it: seven fields with lists of numbers, the days of the week from 0 (Sunday).
   *
   * @throws IllegalArgumentException when it is none, or needs what no calendar of Temporal can
   *     say: {@code L}, {@code W} and {@code #}
   */
  static String toTemporal(String text) {
    String[] fields = text.trim().split("\\s+");
    if (fields.length < FIELDS || fields.length > ALL.size()) {
      throw new IllegalArgumentException(
          "must be a cron expression of 6 or 7 fields, the first of which are seconds, like"
              + " 0 0 3 * * ?");
    }
    if (!ANY.contains(fields[DAY_OF_MONTH]) && !ANY.contains(fields[DAY_OF_WEEK])) {
      throw new IllegalArgumentException(
          "must have a ? as day of month (the 4th field) or as day of week (the 6th)");
    }
    StringJoiner cron = new StringJoiner(" ");
    for (int i = 0; i < ALL.size(); i++) {
      String field = i < fields.length ? fields[i] : "*";
      boolean day = i == DAY_OF_MONTH || i == DAY_OF_WEEK;
      int shift = i == DAY_OF_WEEK ? -1 : 0;
      cron.add(
          field.equals("*") || (day && field.equals("?"))
              ? "*"
              : ALL.get(i).values(field).stream()
                  .map(value -> String.valueOf(value + shift))
                  .collect(Collectors.joining(",")));
    }
    return cron.toString();
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
