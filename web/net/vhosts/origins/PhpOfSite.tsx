import type { Website } from '@innkeeper/contract/hosting/websites'
import { webServerTitles } from '@innkeeper/contract/machines/servers/shapes'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { PageMenu } from '../../../kit/frame/PageMenu.tsx'
import { Reading } from '../../../kit/frame/Reading.tsx'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { originVhostsApi } from '../api.ts'
import { Seen } from '../columns.tsx'
import { inWords, rulesInWords } from '../words.ts'
import { OriginActs } from './OriginActs.tsx'

const CompareModal = lazyDialog(() => import('../CompareModal.tsx'))
const SiteRulesModal = lazyDialog(() => import('./SiteRulesModal.tsx'))
const PhpModal = lazyDialog(() => import('./PhpModal.tsx'))

/** The web server and PHP settings of a website. */
export default function PhpOfSite({ website }: { website: Website }) {
  const { data, error } = useQuery(originVhostsApi.one.query({ id: website.id }))
  const [asked, ask] = useState<'change' | 'rules' | 'compare'>()
  const close = () => ask(undefined)
  return (
    <Section
      title="Origin vhost"
      hint={error?.message}
      aside={
        data && (
          <PageMenu label="Actions of the origin vhost">
            <OriginActs
              vhost={data}
              change={() => ask('change')}
              rules={() => ask('rules')}
              compare={() => ask('compare')}
            />
          </PageMenu>
        )
      }
    >
      {data ? (
        <Facts
          of={[
            ['Web server', `${webServerTitles[data.webServer]} on ${data.serverName}`],
            ['PHP', <Mono key="php">{data.phpModule}</Mono>],
            [
              'Own settings',
              data.own ? <Mono key="own">{inWords(data.phpParameters)}</Mono> : 'nothing: as everywhere',
            ],
            ['Rules', rulesInWords(data)],
            ['Wildcard', <StatusBadge key="wildcard" state={data.wildcard ? 'on' : 'off'} />],
            ['On the server', <Seen key="seen" seen={data.seen} />],
          ]}
        />
      ) : (
        <Text c="dimmed">{error ? 'It could not be read.' : <Reading />}</Text>
      )}
      {data && asked === 'change' && <PhpModal vhost={data} close={close} />}
      {data && asked === 'rules' && <SiteRulesModal vhost={data} close={close} />}
      {data && asked === 'compare' && <CompareModal vhost={data} close={close} />}
    </Section>
  )
}
