import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Certificate, SiteHttps } from '@innkeeper/contract/net/ssl/shapes'
import { Group } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Facts } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { sslApi, touched } from './api.ts'
import { kindWords, renewalWords, someOf } from './words.ts'

interface Props {
  website: Website
  certificate: Certificate
  https: SiteHttps
  busy: string | undefined
}

/** The certificate that a website uses, with its renewal and expiry. */
export function UsedCertificate({ website, certificate, https, busy }: Props) {
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
          {https.redirect ? 'Let http answer' : 'Redirect http to https'}
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
    title: `Turn off https of ${domain}?`,
    text: 'Visitors over https no longer get an answer. The certificate is kept and can be installed again.',
    verb: 'Take https off',
    danger: true,
  })
  if (!sure) return
  if (await attempt(() => sslApi.uninstall({ id }), touched)) toast.info(`${domain} will answer over http only`)
}
