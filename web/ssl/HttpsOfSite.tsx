import type { Certificate, SiteHttps } from '@innkeeper/contract/ssl'
import type { Website } from '@innkeeper/contract/websites'
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../kit/access/reasons.ts'
import { attempt } from '../kit/api/attempt.ts'
import { confirm } from '../kit/dialogs/dialogs.ts'
import { toast } from '../kit/dialogs/toast.ts'
import { LinkTo } from '../kit/frame/LinkTo.tsx'
import { Facts, Section } from '../kit/frame/Section.tsx'
import { ActButton } from '../kit/look/ActButton.tsx'
import { moment } from '../kit/look/format.ts'
import { Mono } from '../kit/look/Mono.tsx'
import { StatusBadge } from '../kit/look/StatusBadge.tsx'
import { notSwitchable } from '../websites/page/switching.ts'
import { sslApi } from './api.ts'
import { daysLeft, kindWords, renewalWords, someOf } from './words.ts'

const touched = ['ssl', 'websites', 'workflows']

/** HTTPS settings of a website and its active certificate. */
export default function HttpsOfSite({ website }: { website: Website }) {
  const { data, error } = useQuery(sslApi.ofWebsite.query({ id: website.id }))
  const lacking = useReason()
  const navigate = useNavigate()
  const https = data?.https ?? undefined
  const used = data?.items.find(({ id }) => id === https?.certificateId)
  const others = data?.items.filter(({ id }) => id !== https?.certificateId) ?? []
  const busy = notSwitchable(website)
  const order = async () => {
    if (await attempt(() => sslApi.order({ id: website.id }), touched))
      toast.info(`Ordering a certificate for ${website.domain}`)
  }
  return (
    <Section
      title="https"
      hint={used ? daysLeft(used.notAfter) : undefined}
      aside={
        <Group gap={8}>
          {!used && (
            <ActButton size="xs" variant="default" reason={lacking(sslApi.order) ?? busy} onClick={() => void order()}>
              Order Let’s Encrypt
            </ActButton>
          )}
          <ActButton
            size="xs"
            variant="default"
            reason={lacking(sslApi.letsEncrypt)}
            onClick={() => void navigate({ to: '/ssl/create', search: { website: String(website.id) } })}
          >
            Add certificate…
          </ActButton>
        </Group>
      }
    >
      <Stack gap={14}>
        {!used && (
          <Text c="dimmed">
            {error?.message ?? (data ? 'By http alone: browsers call it not secure.' : 'Reading…')}
          </Text>
        )}
        {used && https && <Used website={website} certificate={used} https={https} busy={busy} />}
        {others.map((one) => (
          <Group key={one.id} justify="space-between" wrap="nowrap">
            <LinkTo to="/ssl/$id" params={{ id: String(one.id) }} truncate>
              <Mono>{someOf(one.names)}</Mono>
            </LinkTo>
            <StatusBadge state={one.status} label={one.status === 'active' ? 'Not used' : undefined} />
          </Group>
        ))}
      </Stack>
    </Section>
  )
}

interface UsedProps {
  website: Website
  certificate: Certificate
  https: SiteHttps
  busy: string | undefined
}

function Used({ website, certificate, https, busy }: UsedProps) {
  const lacking = useReason()
  const { id, names, kind, issuer, notAfter, status, missing } = certificate
  const install = async (change: { redirect?: boolean; hstsDays?: number }) => {
    if (await attempt(() => sslApi.install({ id, websiteId: website.id, ...change }), touched))
      toast.info(`${website.domain} is being changed`)
  }
  const reason = lacking(sslApi.install) ?? busy
  return (
    <>
      <Facts
        of={[
          [
            'Certificate',
            <Group key="names" gap={10}>
              <LinkTo to="/ssl/$id" params={{ id: String(id) }}>
                <Mono>{someOf(names, 3)}</Mono>
              </LinkTo>
              <StatusBadge state={status} />
            </Group>,
          ],
          ['Issuer', kind === 'custom' ? `${kindWords.custom}, ${issuer}` : (issuer ?? kindWords[kind])],
          ['Ends', notAfter ? moment(notAfter) : 'unknown'],
          ['Renewal', renewalWords(certificate)],
          ...(missing.length
            ? [
                [
                  'Left out',
                  someOf(
                    missing.map(({ name }) => name),
                    3,
                  ),
                ] as [string, string],
              ]
            : []),
          ['http', https.redirect ? 'leads to https' : 'answers as well'],
          ['HSTS', https.hstsDays ? `${https.hstsDays} days` : 'off'],
        ]}
      />
      <Group gap={8}>
        <ActButton
          size="xs"
          variant="default"
          reason={reason}
          onClick={() => void install({ redirect: !https.redirect })}
        >
          {https.redirect ? 'Let http answer' : 'Lead http to https'}
        </ActButton>
        <ActButton
          size="xs"
          variant="default"
          reason={lacking(sslApi.uninstall) ?? busy}
          onClick={() => void takeOff(website)}
        >
          Take https off…
        </ActButton>
      </Group>
    </>
  )
}

async function takeOff({ id, domain }: Website): Promise<void> {
  const sure = await confirm({
    title: `Take https off ${domain}?`,
    text: 'Visitors over https no longer get an answer. The certificate is kept and can be installed again.',
    verb: 'Take https off',
    danger: true,
  })
  if (!sure) return
  if (await attempt(() => sslApi.uninstall({ id }), touched)) toast.info(`${domain} will answer over http alone`)
}
