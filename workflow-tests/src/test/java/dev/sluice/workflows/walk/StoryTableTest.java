package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.walk.Person.Reaction;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operations in which something comes in between: {@code stories.txt} says how to read it. */
class StoryTableTest {

  private static final Pattern AT = Pattern.compile("(before|during) (\\w+) (\\d+): (.+)");
  private static final Pattern AFTER = Pattern.compile("after (.+): (.+)");

  static Stream<Named<List<String>>> stories() {
    String told =
        Story.resource("/stories.txt")
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .collect(Collectors.joining("\n"));
    return Pattern.compile("\n(?! )")
        .splitAsStream(told)
        .map(story -> Arrays.asList(story.split("\n *")))
        .map(lines -> Named.of(lines.get(0), lines.subList(1, lines.size())));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("stories")
  void itsCourse(List<String> lines) {
    Story story =
        new Story(
            lines.get(0),
            rest("by ", lines)
                .flatMap(by -> Stream.of(by.split(", ")))
                .flatMap(StoryTableTest::reactions)
                .toList());
    lines.stream()
        .skip(1)
        .filter(line -> !line.matches("(by|=|>).*"))
        .forEach(line -> happens(story, line));

    story.begins();

    String course = rest("=", lines).collect(Collectors.joining("; "));
    List<String> trace = rest("> ", lines).toList();
    if (trace.isEmpty()) {
      assertThat(story.course()).isEqualTo(course);
    } else {
      assertThat(story.ends()).isEqualTo(trace);
    }
  }

  private static Stream<String> rest(String sign, List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(sign))
        .map(line -> line.substring(sign.length()).strip());
  }

  /** One thing, or so many times the same. */
  private static Stream<Reaction> reactions(String by) {
    String[] parts = by.split(" \\* ");
    int times = parts.length == 1 ? 1 : Integer.parseInt(parts[1]);
    return Collections.nCopies(times, Reaction.valueOf(parts[0])).stream();
  }

  private static void happens(Story story, String line) {
    Matcher at = AT.matcher(line);
    Matcher after = AFTER.matcher(line);
    if (at.matches()) {
      int call = Integer.parseInt(at.group(3));
      Story unused =
          at.group(1).equals("before")
              ? story.before(at.group(2), call, at.group(4))
              : story.during(at.group(2), call, at.group(4));
    } else {
      assertThat(after).as(line).matches(Matcher::matches);
      Story unused = story.after(after.group(1), after.group(2));
    }
  }
}
