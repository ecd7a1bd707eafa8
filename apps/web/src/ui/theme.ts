import { createTheme, em, rem } from '@mantine/core'
import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core'
import { uiConstants } from '../constants.ts'

const { breakpoints, dialogMs } = uiConstants

const ramp = (shades: string): MantineColorsTuple => {
  const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = '', i = '', j = ''] = shades.split(' ')
  return [a, b, c, d, e, f, g, h, i, j]
}

const colors = {
  brand: ramp('#f5f7ff #ebeeff #d7deff #bfc8fd #a0abfd #838efe #6c72fb #5556d9 #4544b7 #34358e'),
  gray: ramp('#f4f7ff #ebeff8 #dce0e8 #c8ccd4 #afb3bb #989ba3 #83868e #686c73 #55585f #40444a'),
  green: ramp('#effbf2 #dff6e6 #bfedce #97e0b0 #65cb8d #37b671 #0fa05c #038149 #046a3b #06512d'),
  red: ramp('#fff5f4 #ffe9e7 #ffd4cf #feb7b1 #fe8e86 #fb605c #e24947 #c02a2e #a11c22 #7d161a'),
  amber: ramp('#fff6ec #feecd8 #fbd9b3 #f6c184 #e8a34a #d38917 #b87507 #945f0d #7b4c01 #5f3b04'),
  blue: ramp('#f1f8ff #e3f1ff #c5e4ff #a0d2fe #67bafe #37a3f1 #168dd9 #0a71b1 #095c92 #024773'),
  dark: ramp('#e5e8ed #c1c4c9 #a2a5aa #727479 #45484c #313337 #232529 #191b1e #101215 #090a0e'),
}

/** Inside the dialog or region that it belongs to, for those who hear the page; fixed, so that nothing cuts it off. */
const inPlace = { withinPortal: false, floatingStrategy: 'fixed' }

/** Tested for contrast in both schemes; a colour outside these ramps needs the same test. */
export const theme = createTheme({
  colors,
  primaryColor: 'brand',
  primaryShade: 7,
  autoContrast: true,
  luminanceThreshold: 0.32,
  respectReducedMotion: true,
  cursorType: 'pointer',
  black: '#16181d',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, monospace',
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(16), xl: rem(20) },
  lineHeights: { xs: '1.334', sm: '1.385', md: '1.43', lg: '1.5', xl: '1.4' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: rem(24), lineHeight: '1.334' },
      h2: { fontSize: rem(20), lineHeight: '1.4' },
      h3: { fontSize: rem(16), lineHeight: '1.5' },
      h4: { fontSize: rem(14), lineHeight: '1.43' },
    },
  },
  defaultRadius: 'sm',
  radius: { xs: rem(4), sm: rem(6), md: rem(8), lg: rem(12), xl: rem(20) },
  spacing: { xs: rem(8), sm: rem(12), md: rem(16), lg: rem(24), xl: rem(32) },
  breakpoints: { xs: '30em', sm: em(breakpoints.sm), md: em(breakpoints.md), lg: em(breakpoints.lg), xl: em(breakpoints.xl) },
  components: {
    // A <header> inside a dialog would be a second banner landmark.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    Combobox: { defaultProps: inPlace },
    // Rounder, and a small box would pass for a radio button.
    Checkbox: { defaultProps: { radius: 'xs' } },
    Modal: { defaultProps: { transitionProps: { duration: dialogMs, transition: 'fade' }, radius: 'lg', centered: true } },
    Drawer: { defaultProps: { transitionProps: { duration: 200 }, position: 'right' } },
    Tooltip: { defaultProps: { ...inPlace, openDelay: 400, withArrow: false, events: { hover: true, focus: true, touch: false } } },
    // The placeholder is a child that a menu may not have; the first item takes the focus instead.
    Menu: {
      defaultProps: {
        ...inPlace,
        withInitialFocusPlaceholder: false,
        shadow: 'md',
        position: 'bottom-end',
        transitionProps: { duration: 120 },
      },
    },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 120 } } },
  },
})

const tinted = ['brand', 'gray', 'green', 'red', 'amber', 'blue'] as const

/** Mantine's own light variants miss 4.5:1; these pairs reach it. The --gh-* names are what the style sheets here use. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const light: Record<string, string> = {
    '--mantine-color-text': '#16181d',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-anchor': 'var(--mantine-color-brand-7)',
    '--mantine-color-error': 'var(--mantine-color-red-7)',
    '--mantine-color-default-border': 'var(--mantine-color-gray-6)',
    '--gh-body': '#ffffff',
    '--gh-raised': '#ffffff',
    '--gh-sunken': 'var(--mantine-color-gray-0)',
    '--gh-border': 'var(--mantine-color-gray-2)',
    '--gh-hover': 'var(--mantine-color-gray-1)',
    '--gh-selected': 'var(--mantine-color-brand-1)',
    '--gh-outline': 'var(--mantine-color-gray-6)',
    '--gh-focus': 'var(--mantine-color-brand-7)',
    '--gh-accent': 'var(--mantine-color-brand-7)',
  }
  const dark: Record<string, string> = {
    '--mantine-color-text': 'var(--mantine-color-dark-0)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-anchor': 'var(--mantine-color-brand-4)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-default-border': 'var(--mantine-color-dark-3)',
    '--gh-body': 'var(--mantine-color-dark-7)',
    '--gh-raised': 'var(--mantine-color-dark-6)',
    '--gh-sunken': 'var(--mantine-color-dark-8)',
    '--gh-border': 'var(--mantine-color-dark-4)',
    '--gh-hover': 'var(--mantine-color-dark-5)',
    '--gh-selected': 'color-mix(in srgb, var(--mantine-color-brand-7) 30%, var(--mantine-color-dark-7))',
    '--gh-outline': 'var(--mantine-color-dark-3)',
    '--gh-focus': 'var(--mantine-color-brand-4)',
    '--gh-accent': 'var(--mantine-color-brand-4)',
  }
  for (const color of tinted) {
    light[`--mantine-color-${color}-light`] = `var(--mantine-color-${color}-1)`
    light[`--mantine-color-${color}-light-hover`] = `var(--mantine-color-${color}-2)`
    light[`--mantine-color-${color}-light-color`] = `var(--mantine-color-${color}-8)`
    light[`--mantine-color-${color}-text`] = `var(--mantine-color-${color}-7)`
    dark[`--mantine-color-${color}-light-color`] = `var(--mantine-color-${color}-3)`
    dark[`--mantine-color-${color}-text`] = `var(--mantine-color-${color}-4)`
  }
  return { variables: { '--gh-chart-other': '#83868e' }, light: { ...light, ...chart(chartLight) }, dark: { ...dark, ...chart(chartDark) } }
}

// Told apart under the three common kinds of colour blindness and 3:1 against the page; more than six series become "Other".
const chartLight = ['#4544b7', '#b87507', '#ea65ab', '#9867e1', '#c02a2e', '#686c73']
const chartDark = ['#6c72fb', '#e8a34a', '#93dcd7', '#c19dfe', '#e24947', '#83868e']
const chart = (set: string[]) => Object.fromEntries(set.map((color, index) => [`--gh-chart-${index + 1}`, color]))
