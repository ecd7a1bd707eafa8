import { Anchor, Button } from '@mantine/core'
import type { AnchorProps, ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type AnchorElement<Props> = Props & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> }

const AnchorButton = (props: AnchorElement<ButtonProps>) => <Button component="a" {...props} />
const TextAnchor = (props: AnchorElement<AnchorProps>) => <Anchor {...props} />

/** Mantine's button and text link with the router's checked `to`, `params` and `search`; `component={Link}` would lose the check. */
export const ButtonLink = createLink(AnchorButton)
export const TextLink = createLink(TextAnchor)
