import type { SiteName } from '@innkeeper/contract/hosting/names/shapes'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconArrowForward, IconDots, IconEqual, IconExternalLink, IconTrash } from '@tabler/icons-react'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useWebsiteAddress } from '../../machines/servers/useWebsiteAddress.ts'
import { websitesApi } from '../websites/api.ts'
import { notChangeable, removeName, removeSub, setMode } from './acts.ts'
import { namesApi } from './api.ts'
import css from './Names.module.css'
import { answerOf } from './words.ts'

interface Props {
  of: SiteName
  website: Website
}
interface RowProps extends Props {
  /** Whether `www.` of the name is served too. */
  withWww: boolean
}

/** A name with its function and actions. */
export function NameRow({ of, website, withWww }: RowProps) {
  const { name, unicode, kind, websiteId, status } = of
  const linked = websiteId !== null && kind !== 'own'
  return (
    <li className={css.row}>
      <div className={css.name}>
        {linked ? (
          <LinkTo to="/websites/$id" params={{ id: String(websiteId) }} c="inherit" underline="never" truncate>
            <Mono fw={450} title={name}>
              {name}
            </Mono>
          </LinkTo>
        ) : (
          <Mono fw={500} truncate title={name}>
            {name}
          </Mono>
        )}
        {(unicode || withWww) && (
          <Text c="dimmed" fz="xs" truncate>
            {[unicode, withWww && 'with www'].filter(Boolean).join(' · ')}
          </Text>
        )}
      </div>
      <Text c="dimmed" fz="xs" className={css.does}>
        {answerOf(of, website.domain)}
      </Text>
      <StatusBadge state={status} />
      <NameMenu of={of} website={website} />
    </li>
  )
}

function NameMenu({ of, website }: Props) {
  const lacking = useReason()
  const site = useWebsiteAddress()
  const { name, kind, mode, status } = of
  const isAlias = kind === 'alias' || kind === 'old'
  const going = status === 'deleting' ? `${name} is being removed.` : undefined
  return (
    <Menu width={212} position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="secondary" aria-label={`Actions on ${name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!name.startsWith('*.') && (
          <Menu.Item
            component="a"
            href={site(name)}
            target="_blank"
            rel="noopener"
            leftSection={<IconExternalLink size={15} />}
          >
            Open
          </Menu.Item>
        )}
        {kind === 'alias' && (
          <MenuAction
            label={mode === 'redirect' ? 'Show the website' : 'Redirect to the website'}
            icon={mode === 'redirect' ? <IconEqual size={15} /> : <IconArrowForward size={15} />}
            reason={lacking(namesApi.setAlias) ?? notChangeable(of)}
            onClick={() => void setMode(of, mode === 'redirect' ? 'serve' : 'redirect')}
          />
        )}
        {isAlias && (
          <MenuAction
            danger
            label={kind === 'old' ? 'End now…' : 'Remove…'}
            icon={<IconTrash size={15} />}
            reason={lacking(websitesApi.remove) ?? going}
            onClick={() => void removeName(of, website.domain)}
          />
        )}
        {kind === 'sub' && (
          <MenuAction
            danger
            label="Delete…"
            icon={<IconTrash size={15} />}
            reason={lacking(websitesApi.remove) ?? going}
            onClick={() => void removeSub(of, website.domain)}
          />
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
