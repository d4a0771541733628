import {
  ActionIcon,
  type ActionIconProps,
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  Menu,
  type MenuItemProps,
} from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Native = Omit<ComponentProps<'a'>, 'color' | 'style'>

/** A link to a screen: typed by routes.tsx, fetched when the pointer rests on it. */
export const LinkTo = createLink((props: AnchorProps & Native) => <Anchor {...props} />)

/** A button that leads somewhere is a link. */
export const LinkButton = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />)

/** An icon that leads somewhere; it needs an aria-label. */
export const LinkIcon = createLink((props: ActionIconProps & Native) => <ActionIcon component="a" {...props} />)

/** A menu item that leads somewhere. */
export const LinkItem = createLink((props: MenuItemProps & Native) => <Menu.Item component="a" {...props} />)
