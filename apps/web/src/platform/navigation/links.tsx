import { Button } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type AnchorElement<Props> = Props & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> }

const AnchorButton = (props: AnchorElement<ButtonProps>) => <Button component="a" {...props} />

/** Mantine's button with the router's checked `to`, `params` and `search`; `component={Link}` would lose the check. */
export const ButtonLink = createLink(AnchorButton)
