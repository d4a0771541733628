import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Native = Omit<ComponentProps<'a'>, 'color' | 'style'>

/** A link to a screen: typed by the routes of the domains, its code preloaded on hover. */
export const LinkTo = createLink((props: AnchorProps & Native) => <Anchor {...props} />)

/** A link that looks like a button. */
export const LinkButton = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />)
