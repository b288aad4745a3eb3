{{- define "docent.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "docent.selector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "docent.labels" -}}
{{ include "docent.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "docent.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "docent.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "docent.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}

{{/* A list of texts as TOML has it. */}}
{{- define "docent.texts" -}}
[{{ range $i, $text := . }}{{ if $i }}, {{ end }}{{ $text | quote }}{{ end }}]
{{- end -}}

{{- define "docent.config" -}}
[store]
index = {{ .Values.store.index | quote }}
catalog = {{ .Values.store.catalog | quote }}

[server]
listen = "0.0.0.0:7717"
{{- with .Values.server.hosts }}
{{- $name := include "docent.fullname" $ }}
{{- $own := list $name (printf "%s.%s" $name $.Release.Namespace) (printf "%s.%s.svc" $name $.Release.Namespace) (printf "%s.%s.svc.cluster.local" $name $.Release.Namespace) }}
hosts = {{ include "docent.texts" (concat . $own | uniq) }}
{{- end }}
{{- with .Values.server.proxies }}
proxies = {{ include "docent.texts" . }}
{{- end }}
{{- with .Values.config }}

{{ . }}
{{- end }}
{{- end -}}

{{/* What the containers of servers and workers share. */}}
{{- define "docent.container" -}}
image: {{ include "docent.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  {{- toYaml .Values.securityContext | nindent 2 }}
{{- end -}}

{{- define "docent.env" -}}
- name: DOCENT_HOME
  value: /data/home
- name: DOCENT_CONFIG
  value: /etc/docent/docent.toml
{{- if .Values.secrets.catalog.name }}
- name: PGPASSWORD_FILE
  value: /etc/docent-secrets/catalog
{{- end }}
{{- if .Values.secrets.index.name }}
- name: WEAVIATE_API_KEY_FILE
  value: /etc/docent-secrets/index
{{- end }}
{{- with .Values.env }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "docent.mounts" -}}
- name: home
  mountPath: /data
- name: config
  mountPath: /etc/docent
  readOnly: true
- name: tmp
  mountPath: /tmp
{{- if or .Values.secrets.catalog.name .Values.secrets.index.name }}
- name: secrets
  mountPath: /etc/docent-secrets
  readOnly: true
{{- end }}
{{- end -}}

{{/* The part of a projected volume with one key of a Secret as a file. */}}
{{- define "docent.secretFile" -}}
- secret:
    name: {{ .secret.name }}
    items:
      - key: {{ .secret.key }}
        path: {{ .path }}
{{- end -}}

{{- define "docent.volumes" -}}
- name: home
  {{- if .Values.home.existingClaim }}
  persistentVolumeClaim:
    claimName: {{ .Values.home.existingClaim }}
  {{- else }}
  emptyDir:
    sizeLimit: {{ .Values.home.sizeLimit }}
  {{- end }}
- name: config
  configMap:
    name: {{ include "docent.fullname" . }}
- name: tmp
  emptyDir:
    sizeLimit: 1Gi
{{- if or .Values.secrets.catalog.name .Values.secrets.index.name }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range $path := list "catalog" "index" }}
      {{- with index $.Values.secrets $path }}
      {{- if .name }}
      {{- include "docent.secretFile" (dict "secret" . "path" $path) | nindent 6 }}
      {{- end }}
      {{- end }}
      {{- end }}
{{- end }}
{{- end -}}

{{- define "docent.pod" -}}
serviceAccountName: {{ include "docent.serviceAccount" . }}
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- end -}}

{{- define "docent.placing" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
