import type { CertificateView } from '@innkeeper/contract/net/ssl/shapes'
import { Group, Stack, Text } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Facts, Section } from '../../kit/frame/Section.tsx'
import { moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { renewalWords } from './words.ts'

/** Names, authority, dates and uses of a certificate. */
export function About({ certificate }: { certificate: CertificateView }) {
  const { names, wanted, uses, issuer, key, serial, email, window, vhostAliases } = certificate
  const coming = wanted.filter((name) => !names.includes(name))
  return (
    <Section title="Certificate">
      <Facts
        of={[
          ['Names', <Names key="names" of={names} />],
          ...(coming.length
            ? [['With the next', <Names key="coming" of={coming} />] as [string, React.ReactNode]]
            : []),
          ['Used by', <Uses key="uses" of={uses} />],
          ['Issuer', issuer ?? 'none yet'],
          ['Key', [key, serial && `serial ${serial}`].filter(Boolean).join(', ') || 'none yet'],
          ['Renewal', renewalWords(certificate)],
          ...(window
            ? [
                ['Suggested by its authority', `between ${moment(window.start)} and ${moment(window.end)}`] as [
                  string,
                  string,
                ],
              ]
            : []),
          ['New aliases', vhostAliases ? 'added automatically' : 'not added'],
          ...(email ? [['E-mail', email] as [string, string]] : []),
        ]}
      />
    </Section>
  )
}

const Names = ({ of }: { of: readonly string[] }) => (
  <Stack gap={2}>
    {of.map((name) => (
      <Mono key={name} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Mono>
    ))}
  </Stack>
)

const Uses = ({ of }: { of: CertificateView['uses'] }) =>
  of.length ? (
    <Group gap={8}>
      {of.map(({ websiteId, domain }) => (
        <LinkTo key={websiteId} to="/websites/$id" params={{ id: String(websiteId) }}>
          <Mono>{domain}</Mono>
        </LinkTo>
      ))}
    </Group>
  ) : (
    <Text c="dimmed">no website</Text>
  )
