import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Native = Omit<ComponentProps<'a'>, 'color' | 'style'>

/** A link to a screen: typed by the paths that the domains state, fetched when the pointer rests on it. */
export const LinkTo = createLink((props: AnchorProps & Native) => <Anchor {...props} />)

/** A button that leads somewhere is a link. */
export const LinkButton = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />)
