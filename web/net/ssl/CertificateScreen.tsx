import type { Attempt, CertificateView } from '@innkeeper/contract/net/ssl/shapes'
import { Alert, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Facts, Section, Split } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { counted, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { stateOf } from '../../kit/look/stateWords.ts'
import { Timeline } from '../../kit/timeline/Timeline.tsx'
import { About } from './AboutCertificate.tsx'
import { sslApi } from './api.ts'
import { CertificateActs, renew, whyBusy } from './CertificateActs.tsx'
import { daysLeft, kindWords, outcomeWords } from './words.ts'

export default numbered('id', CertificatePage)

function CertificatePage({ id }: { id: number }) {
  const query = useQuery(sslApi.one.query({ id }))
  if (query.data) return <Loaded certificate={query.data} />
  return (
    <Screen query={query} title="Certificate">
      {null}
    </Screen>
  )
}

function Loaded({ certificate }: { certificate: CertificateView }) {
  const navigate = useNavigate()
  const lacking = useReason()
  const { domain, status, kind, reason, missing, pem, notAfter, chain } = certificate
  const elsewhere =
    kind === 'custom' ? 'A certificate of your own is renewed where you got it: upload the next one.' : undefined
  return (
    <Screen
      title={domain}
      mono
      badge={<StatusBadge pill state={status} />}
      meta={
        <>
          <Text>{kindWords[kind]}</Text>
          {notAfter && (
            <>
              <Dot />
              <Text>{daysLeft(notAfter)}</Text>
            </>
          )}
          <Dot />
          <LinkTo to="/websites/$id" params={{ id: String(certificate.websiteId) }}>
            Website
          </LinkTo>
        </>
      }
      actions={
        <>
          <ActButton
            leftSection={<IconRefresh size={15} />}
            reason={lacking(sslApi.renew) ?? elsewhere ?? whyBusy(certificate)}
            onClick={() => void renew(certificate)}
          >
            Renew now
          </ActButton>
          <PageMenu>
            <CertificateActs certificate={certificate} onRemoved={() => void navigate({ to: '/ssl' })} />
          </PageMenu>
        </>
      }
    >
      <Split side={<History attempts={certificate.attempts} />} sideLast>
        <Stack gap={16}>
          {reason && (
            <Alert color={status === 'active' ? 'warning' : 'error'} title="Last message">
              <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{reason}</Text>
            </Alert>
          )}
          <About certificate={certificate} />
          {missing.length > 0 && (
            <Section title="Left out" hint="tried again automatically">
              <Facts of={missing.map(({ name, reason: why }): [string, string] => [name, why])} width={220} />
            </Section>
          )}
          <Section
            title="Chain"
            hint={chain.length ? counted(chain.length, ['certificate', 'certificates']) : undefined}
          >
            {chain.length ? (
              <Stack gap={14}>
                {chain.map((link) => (
                  <Facts
                    key={link.fingerprint}
                    of={[
                      ['Subject', link.subject],
                      ['Issuer', link.issuer],
                      ['From, until', `${moment(link.notBefore)}, ${moment(link.notAfter)}`],
                      ['SHA-256', <Mono key="print">{link.fingerprint}</Mono>],
                    ]}
                  />
                ))}
                {pem && <CodeBlock label="chain in PEM">{pem}</CodeBlock>}
              </Stack>
            ) : (
              <Text c="dimmed">Nothing was issued yet.</Text>
            )}
          </Section>
        </Stack>
      </Split>
    </Screen>
  )
}

const History = ({ attempts }: { attempts: readonly Attempt[] }) => (
  <Section title="History" hint="newest first">
    <Timeline
      label="Orders of this certificate"
      empty="Nothing was asked for yet."
      entries={attempts.map(({ id, at, outcome, notAfter, reason, fingerprint }) => ({
        id,
        at,
        mark: stateOf(outcomeWords[outcome].state),
        title: outcomeWords[outcome].label,
        note: reason ?? [notAfter && `until ${moment(notAfter)}`, fingerprint?.slice(0, 16)].filter(Boolean).join(', '),
      }))}
    />
  </Section>
)
