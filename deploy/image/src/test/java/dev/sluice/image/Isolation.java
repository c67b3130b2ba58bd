package dev.sluice.image;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How much of a container this machine lets an ordinary user have. */
enum Isolation {
  /**
   * The unpacked root as root, read-only; {@code /tmp} from outside; uid 65532 without capabilities
   * and without the means to get any.
   */
  NAMESPACES("the image's Java, its root read-only, as uid 65532 without capabilities"),

  /** The files of the image, run by the Java of the tests where they are. */
  NONE(
      "this machine's Java on the image's files, as the user of the tests: user namespaces are not"
          + " allowed here, so it is only looked whether a file of the root has changed");

  private static final String UID = "65532";

  private static final String ENTER =
      """
      mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" &&
      mount --bind "$2" "$1/tmp" && mount --rbind /proc "$1/proc" && mount --rbind /dev "$1/dev" || exit 99
      root=$1 path=$3 enter=$(command -v unshare)
      shift 3
      exec env PATH="$path" "$enter" --user --map-user=UID --map-group=UID --root="$root" --wd=/tmp "$@"
      """
          .replace("UID", UID);

  private final String checked;

  Isolation(String checked) {
    this.checked = checked;
  }

  /** The most that there is. */
  static Isolation ofThisMachine() {
    boolean allowed =
        Shell.succeeds(
            "setpriv",
            "--no-new-privs",
            "unshare",
            "--user",
            "--map-root-user",
            "--mount",
            "unshare",
            "--user",
            "--map-user=" + UID,
            "--map-group=" + UID,
            "true");
    return allowed ? NAMESPACES : NONE;
  }

  /** The process that a container of the image has, under the id of the process that starts it. */
  List<String> command(ImageFile image, Path tmp, String... arguments) {
    List<String> command = new ArrayList<>();
    if (this == NAMESPACES) {
      command.addAll(List.of("setpriv", "--no-new-privs"));
      command.addAll(List.of("unshare", "--user", "--map-root-user", "--mount"));
      command.addAll(List.of("sh", "-c", ENTER, "sh"));
      command.addAll(List.of(image.root().toString(), tmp.toString()));
      command.add(image.environment().getOrDefault("PATH", "/usr/bin:/bin"));
      command.addAll(image.command(arguments));
      return command;
    }
    command.addAll(image.command(arguments));
    command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(1, "-Djava.io.tmpdir=" + tmp);
    command.replaceAll(word -> word.startsWith("@/") ? classPath(image.root(), word) : word);
    return command;
  }

  /** The content of the file that the argument names, for where the root is. */
  private static String classPath(Path root, String argument) {
    List<String> entries = new ArrayList<>();
    for (String entry : Shell.run("cat", root + argument.substring(1)).strip().split(":")) {
      entries.add(root + entry);
    }
    return String.join(":", entries);
  }

  /** The folder {@code tmp} as the process sees it. */
  Path seen(Path tmp) {
    return this == NAMESPACES ? Path.of("/tmp") : tmp;
  }

  @Override
  public String toString() {
    return name() + " (" + checked + ")";
  }
}
