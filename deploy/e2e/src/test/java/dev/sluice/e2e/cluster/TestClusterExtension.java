package dev.sluice.e2e.cluster;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * One cluster for the whole run, one {@link Scene} for each test, or for all tests of a class whose
 * {@code @BeforeAll} takes it. The store closes both.
 */
final class TestClusterExtension
    implements ParameterResolver,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler {

  private static final Namespace NAMESPACE = Namespace.create(TestClusterExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Scene.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return scene(context);
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure) {
    throw withEvidence(context, failure);
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure) {
    throw withEvidence(context, failure);
  }

  private static AssertionError withEvidence(ExtensionContext context, Throwable failure) {
    Path folder = Path.of("target", "failures", testName(context)).toAbsolutePath();
    new Evidence(cluster(context)).collect(folder);
    return new AssertionError(
        failure.getMessage() + "\nLogs, events, objects and histories are in " + folder, failure);
  }

  private static Scene scene(ExtensionContext context) {
    return context
        .getStore(NAMESPACE)
        .computeIfAbsent(Scene.class, key -> new Scene(cluster(context)), Scene.class);
  }

  private static TestCluster cluster(ExtensionContext context) {
    Store store = context.getRoot().getStore(NAMESPACE);
    return store.computeIfAbsent(TestCluster.class, key -> TestCluster.start(), TestCluster.class);
  }

  private static String testName(ExtensionContext context) {
    String name = context.getRequiredTestClass().getSimpleName() + "-" + context.getDisplayName();
    return name.replaceAll("[^A-Za-z0-9.-]+", "_");
  }
}
