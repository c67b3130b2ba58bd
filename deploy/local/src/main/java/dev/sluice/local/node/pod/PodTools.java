package dev.sluice.local.node.pod;

import dev.sluice.local.node.image.Images;
import dev.sluice.local.node.probe.Probes;
import dev.sluice.local.node.token.PodTokens;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.function.Consumer;

/**
 * What all pods share.
 *
 * @param wake has a pod looked at again, by its uid
 */
public record PodTools(
    KubernetesClient client,
    PodApi api,
    PodEvents events,
    PodDecision decision,
    Starts starts,
    Images images,
    Probes probes,
    PodTokens tokens,
    Consumer<String> wake,
    Clock clock) {}
