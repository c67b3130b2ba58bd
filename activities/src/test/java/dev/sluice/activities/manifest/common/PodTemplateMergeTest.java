package dev.sluice.activities.manifest.common;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodTemplateMergeTest {
  private static final YAMLMapper YAML = new YAMLMapper();

  @ParameterizedTest(name = "{0} + {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: 1}                     | {b: 2}                     | {a: 1, b: 2}
          {a: 1}                     | {a: 2}                     | {a: 2}
          {a: {x: 1}}                | {a: {y: 2}}                | {a: {x: 1, y: 2}}
          {a: {x: 1}}                | {a: text}                  | {a: text}
          {a: text}                  | {a: {x: 1}}                | {a: {x: 1}}
          {a: 1}                     | {a: null}                  | {a: 1}
          {a: 1}                     | {b: null}                  | {a: 1}
          {a: [1, 2]}                | {a: [3]}                   | {a: [3, 2]}
          {a: [1]}                   | {a: [3, 4]}                | {a: [3, 4]}
          {a: [{n: 1, x: 1}]}        | {a: [{n: 2}]}              | {a: [{n: 2, x: 1}]}
          {a: []}                    | {a: [{n: 2}]}              | {a: [{n: 2}]}
          {a: [[1, 2]]}              | {a: [[3]]}                 | {a: [[3, 2]]}
          {c: [{name: a, i: 1}]}     | {c: [{name: b}]}           | {c: [{name: b, i: 1}]}
          """)
  void mergesByPosition(String base, String over, String merged) {
    assertThat(PodTemplateMerge.BY_POSITION.merge(yaml(base), yaml(over))).isEqualTo(yaml(merged));
  }

  @ParameterizedTest(name = "{0} + {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {c: [{name: a, i: 1}]}              | {c: [{name: b}]}           | {c: [{name: a, i: 1}, {name: b}]}
          {c: [{name: a}, {name: b, i: 1}]}   | {c: [{name: b, j: 2}]}     | {c: [{name: a}, {name: b, i: 1, j: 2}]}
          {c: [{name: a, e: [{name: X, v: 1}]}]} | {c: [{name: a, e: [{name: Y, v: 2}]}]} | {c: [{name: a, e: [{name: X, v: 1}, {name: Y, v: 2}]}]}
          {c: []}                             | {c: [{name: b}]}           | {c: [{name: b}]}
          {args: [x, y]}                      | {args: [z]}                | {args: [z, y]}
          {t: [{key: k, op: E}]}              | {t: [{key: l}]}            | {t: [{key: l, op: E}]}
          {c: [{name: a}, {key: b}]}          | {c: [{name: c}]}           | {c: [{name: c}, {key: b}]}
          """)
  void mergesByNameWhereElementsHaveOne(String base, String over, String merged) {
    assertThat(PodTemplateMerge.BY_NAME.merge(yaml(base), yaml(over))).isEqualTo(yaml(merged));
  }

  @Test
  void whatIsAbsentChangesNothing() {
    JsonNode template = yaml("{a: 1}");

    assertThat(PodTemplateMerge.BY_NAME.merge(template, null)).isEqualTo(template);
    assertThat(PodTemplateMerge.BY_NAME.merge(null, template)).isEqualTo(template);
    assertThat(PodTemplateMerge.BY_NAME.merge(null, null)).isNull();
  }

  @Test
  void leavesItsInputsAlone() {
    JsonNode base = yaml("{a: [{n: 1}], b: {}}");
    JsonNode over = yaml("{a: [{n: 2}, {n: 3}], b: {c: {}}}");

    PodTemplateMerge.BY_POSITION.merge(base, over);

    assertThat(base).isEqualTo(yaml("{a: [{n: 1}], b: {}}"));
    assertThat(over).isEqualTo(yaml("{a: [{n: 2}, {n: 3}], b: {c: {}}}"));
  }

  private static JsonNode yaml(String text) {
    try {
      return YAML.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
