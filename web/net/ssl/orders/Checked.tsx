import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { moment } from '../../../kit/look/format.ts'
import { sslApi } from '../api.ts'

/** Check of a typed certificate by the server. The private key is not sent. */
export default function Checked({
  websiteId,
  certificate,
  ca,
}: {
  websiteId: number | undefined
  certificate: string
  ca: string
}) {
  const { data, error } = useQuery({
    ...sslApi.check.query({ websiteId, certificate, ca: ca || undefined }),
    enabled: certificate.trim() !== '',
  })
  return (
    <Section title="What it is">
      <Stack gap={12}>
        {!certificate.trim() && (
          <Text c="dimmed">Paste a certificate: its names, issuer and end are read at once.</Text>
        )}
        {error && <ErrorLine error={error} />}
        {data && data.names.length > 0 && (
          <Facts
            of={[
              ['Names', data.names.join(', ')],
              ['Issuer', data.issuer ?? 'unknown'],
              ['Ends', data.notAfter ? moment(data.notAfter) : 'unknown'],
              ['Chain', data.chain.map(({ subject }) => subject).join(' ← ')],
            ]}
          />
        )}
        {Object.values(data?.problems ?? {}).map((problem) => (
          <Text key={problem} c="error">
            {problem}
          </Text>
        ))}
        {data?.warnings.map((warning) => (
          <Text key={warning} c="warning" fz="xs">
            {warning}
          </Text>
        ))}
      </Stack>
    </Section>
  )
}
