import type { SiteName } from '@innkeeper/contract/hosting/names/shapes'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Reading } from '../../kit/frame/Reading.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { AddAlias } from './AddAlias.tsx'
import { AddSubwebsite } from './AddSubwebsite.tsx'
import { namesApi } from './api.ts'
import { NameRow } from './NameRow.tsx'
import css from './Names.module.css'

/** All names of a website: domain, aliases, former names and sub-websites. */
export default function NamesOfSite({ website }: { website: Website }) {
  const { data, error } = useQuery(namesApi.ofWebsite.query({ id: website.id }))
  const [adding, setAdding] = useState<'alias' | 'sub'>()
  const lacking = useReason()
  if (!data) return <Text c="dimmed">{error ? `The names could not be read: ${error.message}` : <Reading />}</Text>
  const isBelow = ({ kind }: SiteName) => kind === 'sub' || kind === 'staging'
  const own = data.items.filter(({ kind }) => kind !== 'www')
  const www = new Set(data.items.flatMap(({ kind, name }) => (kind === 'www' ? [name] : [])))
  const names = own.filter((one) => !isBelow(one))
  const below = own.filter(isBelow)
  const row = (one: SiteName) => (
    <NameRow key={one.name} of={one} website={website} withWww={www.has(`www.${one.name}`)} />
  )
  const never = whyNot(website)
  const close = () => setAdding(undefined)
  return (
    <>
      <Section
        title="Names"
        hint={counted(names.length, ['name', 'names'])}
        pad={false}
        aside={
          <ActButton
            size="xs"
            variant="default"
            reason={lacking(namesApi.addAlias) ?? never}
            onClick={() => setAdding('alias')}
          >
            Add alias…
          </ActButton>
        }
      >
        <ul className={css.names}>{names.map(row)}</ul>
      </Section>
      {website.kind === 'main' && (
        <Section
          title="Sub-websites"
          hint={below.length ? undefined : 'none yet'}
          pad={false}
          aside={
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(namesApi.addSubwebsite) ?? never}
              onClick={() => setAdding('sub')}
            >
              Add sub-website…
            </ActButton>
          }
        >
          {below.length === 0 && (
            <Text c="dimmed" p={14}>
              A sub-website is a website of its own on the same account: it has another name, and another folder or a
              folder of this website.
            </Text>
          )}
          <ul className={css.names}>{below.map(row)}</ul>
        </Section>
      )}
      {adding === 'alias' && <AddAlias website={website} close={close} />}
      {adding === 'sub' && <AddSubwebsite website={website} close={close} />}
    </>
  )
}

function whyNot({ domain, kind, status, parentDomain }: Website): string | undefined {
  if (kind === 'alias') return `${domain} is itself a name of ${parentDomain}.`
  return status === 'active' ? undefined : `${domain} is ${status}: it has to be active.`
}
