{{- define "sluice.settings" -}}
{{- $name := include "sluice.fullname" . -}}
TEMPORAL_ADDRESS: {{ include "sluice.temporalAddress" . }}
TEMPORAL_NAMESPACE: {{ .Values.temporal.namespace | quote }}
{{- with .Values.temporal.tls }}
{{- if .enabled }}
TEMPORAL_TLS: "true"
{{- with .serverName }}
TEMPORAL_TLS_SERVER_NAME: {{ . }}
{{- end }}
{{- if .caSecret.name }}
TEMPORAL_TLS_SERVER_CA_CERT_PATH: /etc/sluice-temporal/ca/{{ .caSecret.key }}
{{- end }}
{{- if .clientSecret }}
TEMPORAL_TLS_CLIENT_CERT_PATH: /etc/sluice-temporal/client/tls.crt
TEMPORAL_TLS_CLIENT_KEY_PATH: /etc/sluice-temporal/client/tls.key
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.watchNamespaces }}
SLUICE_WATCH_NAMESPACES: {{ join "," . | quote }}
{{- end }}
{{- with .Values.watchNamespaceLabels }}
{{- if $.Values.watchNamespaces }}{{ fail "watchNamespaces and watchNamespaceLabels exclude each other" }}{{ end }}
{{- $labels := list }}
{{- range $key, $value := . }}{{ $labels = append $labels (printf "%s=%s" $key $value) }}{{ end }}
SLUICE_WATCH_NAMESPACE_SELECTOR: {{ join "," $labels | quote }}
{{- end }}
SLUICE_DEFAULT_CONFIGURATION: /etc/sluice/config.yaml
SLUICE_LEASE_NAME: {{ $name }}-controller
{{- if .Values.flink.tls.secretName }}
SLUICE_FLINK_TLS_FOLDER: /etc/sluice-flink
{{- end }}
{{- if .Values.webhook.enabled }}
SLUICE_WEBHOOK_CERTIFICATE: /etc/sluice-webhook/tls.crt
SLUICE_WEBHOOK_KEY: /etc/sluice-webhook/tls.key
SLUICE_WEBHOOK_OWN_USERS: {{ range $i, $it := list "controller" "worker" }}{{ if $i }},{{ end }}system:serviceaccount:{{ $.Release.Namespace }}:{{ $name }}-{{ $it }}{{ end }}
{{- end }}
{{- range $key, $value := .Values.settings }}
{{ $key }}: {{ $value | quote }}
{{- end }}
{{- end -}}
