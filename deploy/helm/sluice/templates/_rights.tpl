{{- /* The kinds whose resources have operations, by API group. */ -}}
{{- define "sluice.kinds" -}}
flink.apache.org: [flinkdeployments, flinksessionjobs, flinkbluegreendeployments]
flink.k8s.io: [flinkapplications]
{{- end -}}

{{- /*
The rights in watched namespaces. Each verb has a reason; tests of controller and activities run with
these rights alone.

The controller observes and decides. It changes nothing but its resources' metadata and status, and what
changes while a job goes on: Ingresses, labels and annotations of Services, the number of TaskManagers in
reactive mode, and the FlinkStateSnapshots that a spec asks for.
*/ -}}
{{- define "sluice.controllerRights" -}}
- apiGroups: [flink.apache.org]
  resources: [flinkstatesnapshots]
  # create: of a nonce and of what an operation took; patch: labels and the finalizer; delete: old ones
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [flink.apache.org]
  resources: [flinkstatesnapshots/status]
  verbs: [get, patch]
{{- range $group, $kinds := include "sluice.kinds" . | fromYaml }}
- apiGroups: [{{ $group }}]
  resources: [{{ join ", " $kinds }}]
  # patch: finalizers and the annotations that were served
  verbs: [get, list, watch, patch, update]
- apiGroups: [{{ $group }}]
  resources: [{{ join "/finalizers, " $kinds }}/finalizers]
  verbs: [patch, update]
- apiGroups: [{{ $group }}]
  resources: [{{ join "/status, " $kinds }}/status]
  verbs: [get, patch]
{{- end }}
- apiGroups: [apps]
  resources: [deployments]
  verbs: [get, list, watch]
- apiGroups: [apps]
  resources: [deployments/scale]
  # TaskManagers in reactive mode; their number and nothing else
  verbs: [update]
- apiGroups: [apps]
  resources: [controllerrevisions]
  # what a rollback would start from is not cleaned up
  verbs: [list]
- apiGroups: [""]
  resources: [pods]
  verbs: [get, list, watch]
- apiGroups: [""]
  resources: [services]
  # patch: labels and annotations
  verbs: [get, list, watch, patch]
- apiGroups: [networking.k8s.io]
  resources: [ingresses]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: ["", events.k8s.io]
  resources: [events]
  verbs: [create, patch]
{{- end -}}

{{- /* The worker carries operations out: it makes and deletes what a Flink cluster is made of. */ -}}
{{- define "sluice.workerRights" -}}
- apiGroups: [flink.apache.org]
  resources: [flinkstatesnapshots]
  # list: none takes over, or deletes, the savepoint of another one; create: periodic ones, and
  # those of transitions; delete: those of earlier transitions
  verbs: [get, list, create, delete]
- apiGroups: [flink.apache.org]
  resources: [flinkstatesnapshots/status]
  verbs: [get, patch]
{{- range $group, $kinds := include "sluice.kinds" . | fromYaml }}
- apiGroups: [{{ $group }}]
  resources: [{{ join ", " $kinds }}]
  # list: no savepoint is deleted that one may be started from, and no session cluster that has jobs;
  # patch: takes the annotation sluice.dev/restore-from away once it was used
  verbs: [get, list, patch]
- apiGroups: [{{ $group }}]
  resources: [{{ join "/finalizers, " $kinds }}/finalizers]
  # blockOwnerDeletion on what it makes
  verbs: [update]
- apiGroups: [{{ $group }}]
  resources: [{{ join "/status, " $kinds }}/status]
  verbs: [get, patch]
{{- end }}
- apiGroups: [flink.apache.org]
  resources: [flinkdeployments, flinksessionjobs]
  # the children of a FlinkBlueGreenDeployment
  verbs: [create, delete]
- apiGroups: [networking.k8s.io]
  resources: [ingresses]
  # those of FlinkApplications; get: whether that of a FlinkBlueGreenDeployment points at the live
  # child, too
  verbs: [get, list, create, patch, delete]
- apiGroups: [apps]
  resources: [deployments]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [apps]
  resources: [deployments/finalizers]
  # blockOwnerDeletion on the TaskManagers of standalone mode, which belong to the JobManager's
  verbs: [update]
- apiGroups: [apps]
  resources: [controllerrevisions]
  # the specs that a resource had before, for a rollback
  verbs: [list, create, patch, delete]
- apiGroups: [""]
  resources: [services]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [""]
  resources: [configmaps]
  # deletecollection: Flink's high-availability metadata
  verbs: [get, list, watch, create, patch, delete, deletecollection]
- apiGroups: [""]
  resources: [pods]
  # create: only as a dry run, to check a TaskManager pod before the old job is stopped; without it
  # that check is left out. delete: the TaskManagers that a stopped JobManager leaves behind
  verbs: [get, list, watch, create, delete]
- apiGroups: ["", events.k8s.io]
  resources: [events]
  verbs: [create, patch]
{{- end -}}

{{- /* The uid of kube-system is the identity of the Kubernetes cluster. */ -}}
{{- define "sluice.identityRights" -}}
- apiGroups: [""]
  resources: [namespaces]
  resourceNames: [kube-system]
  verbs: [get]
{{- end -}}

{{- /* The one subject of a binding. Takes (list . "controller"). */ -}}
{{- define "sluice.subject" -}}
{{- $root := index . 0 -}}
- kind: ServiceAccount
  name: {{ include "sluice.fullname" $root }}-{{ index . 1 }}
  namespace: {{ $root.Release.Namespace }}
{{- end -}}
