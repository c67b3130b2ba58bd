package dev.sluice.e2e.crash;

import dev.sluice.e2e.cluster.Scene;
import java.util.List;
import java.util.stream.Stream;

/** The kinds of resources whose operations are disturbed. */
enum Kind {
  DEPLOYMENT("FlinkDeployment", "line") {
    @Override
    List<Operation> operations() {
      return List.of(DeploymentOperation.values());
    }

    @Override
    Survivor survivor(Scene scene, String name) {
      return new DeploymentSurvivor(scene, name);
    }
  },
  APPLICATION("FlinkApplication", "app") {
    @Override
    List<Operation> operations() {
      return List.of(ApplicationOperation.values());
    }

    @Override
    Survivor survivor(Scene scene, String name) {
      return new ApplicationSurvivor(scene, name);
    }
  },
  BLUE_GREEN("FlinkBlueGreenDeployment", "bg") {
    @Override
    List<Operation> operations() {
      return List.of(BlueGreenOperation.values());
    }

    @Override
    Survivor survivor(Scene scene, String name) {
      return new BlueGreenSurvivor(scene, name);
    }
  };

  private final String text;
  private final String prefix;

  Kind(String text, String prefix) {
    this.text = text;
    this.prefix = prefix;
  }

  /** Those that resources of this kind go through. */
  abstract List<Operation> operations();

  /** A resource that need not exist yet. */
  abstract Survivor survivor(Scene scene, String name);

  /** What the names of its resources begin with. */
  String prefix() {
    return prefix;
  }

  /** The operations of all kinds. */
  static List<Operation> allOperations() {
    return Stream.of(values()).flatMap(it -> it.operations().stream()).toList();
  }

  /** As on the command line, where it stands for all of its operations. */
  @Override
  public String toString() {
    return text;
  }
}
