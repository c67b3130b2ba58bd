{{- define "sluice.fullname" -}}
{{- $name := .Values.fullnameOverride | default (contains "sluice" .Release.Name | ternary .Release.Name (printf "%s-sluice" .Release.Name)) -}}
{{- $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- /* Labels by which a Deployment or Service finds its pods. Takes (list . "controller"). */ -}}
{{- define "sluice.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/part-of: sluice
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- /* Labels of an object. */ -}}
{{- define "sluice.labels" -}}
app.kubernetes.io/part-of: sluice
app.kubernetes.io/name: sluice
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "sluice.image" -}}
{{- with .Values.image -}}
{{- .repository -}}
{{- if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end -}}
{{- end -}}
{{- end -}}

{{- define "sluice.temporalAddress" -}}
{{- if .Values.temporal.devServer.enabled -}}
{{- if .Values.temporal.address }}{{ fail "temporal.address and temporal.devServer.enabled exclude each other" }}{{ end -}}
{{ include "sluice.fullname" . }}-temporal.{{ .Release.Namespace }}.svc:7233
{{- else -}}
{{ required "temporal.address is missing: give the host:port of Temporal's frontend, or, to try Sluice, --set temporal.devServer.enabled=true" .Values.temporal.address }}
{{- end -}}
{{- end -}}

{{- define "sluice.webhookSecret" -}}
{{- $given := .Values.webhook.certificate.secretName -}}
{{- if .Values.webhook.certificate.certManager -}}
{{ $given | default (printf "%s-webhook-certificate" (include "sluice.fullname" .)) }}
{{- else -}}
{{ $given | default (printf "%s-webhook-self-signed" (include "sluice.fullname" .)) }}
{{- end -}}
{{- end -}}

{{- define "sluice.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}
