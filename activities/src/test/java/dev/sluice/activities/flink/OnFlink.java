package dev.sluice.activities.flink;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The Flink version of a test class whose constructor takes the shared {@link FlinkCluster}. A
 * subclass runs the same tests on another version.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(OnFlink.Resolver.class)
public @interface OnFlink {

  FlinkVersion value();

  /** Resolves the constructor's parameter. */
  final class Resolver implements ParameterResolver {

    private final SharedClusters.Extension clusters = new SharedClusters.Extension();

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == FlinkCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      FlinkVersion version = context.getRequiredTestClass().getAnnotation(OnFlink.class).value();
      return ((SharedClusters) clusters.resolveParameter(parameter, context)).of(version);
    }
  }
}
