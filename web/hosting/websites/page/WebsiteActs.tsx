import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { Button, Menu } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { useWebsiteAddress } from '../../../machines/servers/useWebsiteAddress.ts'
import { acts, type SiteAct } from './acts.ts'
import { isLive } from './section.ts'

/** Starts an action. */
type Begin = (act: SiteAct, website: WebsiteRow) => void

/** Returns the function that starts an action, and its dialog, which stays open after the menu has closed. */
export function useSiteActs(): { begin: Begin; dialog: ReactNode } {
  const [asked, setAsked] = useState<{ act: SiteAct; website: WebsiteRow }>()
  const Form = asked?.act.Form
  return {
    begin: (act, website) => (act.Form ? setAsked({ act, website }) : void act.run?.(website)),
    dialog: asked && Form && <Form website={asked.website} close={() => setAsked(undefined)} />,
  }
}

interface Props {
  website: WebsiteRow
  begin: Begin
}

/** The items of a website's menu. */
export function WebsiteActs({ website, begin }: Props) {
  const lacking = useReason()
  const open = acts.filter(({ when }) => when(website))
  const item = (act: SiteAct) => (
    <MenuAction
      key={act.label}
      label={act.label}
      danger={act.danger}
      icon={<act.Icon size={15} />}
      reason={lacking(act.call) ?? act.not?.(website)}
      onClick={() => begin(act, website)}
    />
  )
  return (
    <>
      {isLive(website) && <OpenSite website={website} />}
      {open.filter(({ danger }) => !danger).map(item)}
      <Menu.Divider />
      {open.filter(({ danger }) => danger).map(item)}
    </>
  )
}

const elsewhere = { target: '_blank', rel: 'noopener' }

function OpenSite({ website }: { website: WebsiteRow }) {
  const href = useWebsiteAddress()(website.domain)
  return (
    <Menu.Item component="a" href={href} {...elsewhere} leftSection={<IconExternalLink size={15} />}>
      Open site
    </Menu.Item>
  )
}

/** The most common actions as buttons beside the title, where space allows. */
export function WebsiteButtons({ website, begin }: Props) {
  const lacking = useReason()
  const site = useWebsiteAddress()
  if (!isLive(website)) return null
  return (
    <>
      {acts
        .filter(({ button, when }) => button && when(website))
        .map((act) => (
          <ActButton
            key={act.label}
            visibleFrom="sm"
            variant="default"
            leftSection={<act.Icon size={15} />}
            reason={lacking(act.call) ?? act.not?.(website)}
            onClick={() => begin(act, website)}
          >
            {act.label}
          </ActButton>
        ))}
      <Button
        component="a"
        visibleFrom="sm"
        variant="default"
        href={site(website.domain)}
        {...elsewhere}
        rightSection={<IconExternalLink size={14} />}
      >
        Open site
      </Button>
    </>
  )
}
