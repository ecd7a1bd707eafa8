import { Anchor, Select, Textarea, TextInput } from '@mantine/core'
import { ContactRequest } from '@guildhall/contract/features/site'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { formRules } from '../../platform/api/form-rules.ts'
import { usePageTitle } from '../../platform/navigation/page-title.ts'
import { useMe } from '../../platform/session/session.ts'
import { PageHeader, Section } from '../../ui/page/page.tsx'
import { RecordForm, useRecordForm } from '../../ui/form/record-form.tsx'
import { ChapterFinder } from './chapter-finder.tsx'
import classes from './contact-page.module.css'
import { usePublicOrganisation, useSendContactMessage } from './site-api.ts'
import { mailLink } from '../../ui/display/contact-links.ts'

export const route = createLazyRoute('/open/contact')({ component: ContactPage })

export function ContactPage() {
  usePageTitle(t`Contact`)
  const [sent, setSent] = useState<{ reference: string; email: string } | null>(null)
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: organisation } = usePublicOrganisation()
  return (
    <div className={classes['page']}>
      <PageHeader
        title={<Trans>Contact</Trans>}
        description={
          organisation ? (
            <Trans>Write to the administrators of {organisation.name}. They answer by e-mail.</Trans>
          ) : (
            <Trans>Write to the administrators. They answer by e-mail.</Trans>
          )
        }
      />
      <div className={classes['columns']}>
        {sent ? <Sent {...sent} onAnother={() => setSent(null)} /> : <ContactForm onSent={setSent} />}
        <div className={classes['beside']}>
          <p className={classes['other']}>
            <Trans>
              Your message is kept with its reference for the administrators. What holds for your data is in the{' '}
              <Link to="/privacy">privacy policy</Link>.
            </Trans>
          </p>
          {organisation?.contactEmail && (
            <Section title={t`Other ways`}>
              <p className={classes['other']}>
                <Trans>
                  You can also write to{' '}
                  <Anchor underline="always" href={mailLink(organisation.contactEmail)}>
                    {organisation.contactEmail}
                  </Anchor>
                  .
                </Trans>
              </p>
            </Section>
          )}
          <ChapterFinder q={q} onSearch={(words) => void navigate({ search: { q: words || undefined }, replace: true })} />
        </div>
      </div>
    </div>
  )
}

function ContactForm({ onSent }: { onSent: (sent: { reference: string; email: string }) => void }) {
  const send = useSendContactMessage()
  const { data: me } = useMe()
  const topics = [t`Membership`, t`My data`, t`Signing in`, t`Something does not work`, t`Other`]
  const form = useRecordForm(formRules(ContactRequest), { name: '', email: '', topic: topics[0] ?? '', message: '', website: '' })
  // What is known of somebody signed in need not be typed again.
  const { initialize, isDirty } = form
  const [name, email] = [me?.account.name, me?.account.email]
  useEffect(() => {
    if (!isDirty() && (name || email)) initialize({ ...form.getValues(), ...(name && { name }), ...(email && { email }) })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when it is known
  }, [name, email])
  return (
    <RecordForm
      form={form}
      draft="contact"
      submitLabel={<Trans>Send message</Trans>}
      onSubmit={async (values) => {
        const { reference } = await send.mutateAsync(values)
        onSent({ reference, email: values.email })
      }}
    >
      <TextInput label={t`Your name`} autoComplete="name" {...form.getInputProps('name')} />
      <TextInput label={t`E-mail`} type="email" autoComplete="email" {...form.getInputProps('email')} />
      <Select label={t`Topic`} data={topics} allowDeselect={false} {...form.getInputProps('topic')} />
      <Textarea label={t`Message`} rows={8} resize="vertical" {...form.getInputProps('message')} />
      {/* People never see this field; what machines write into it gives them away. */}
      <div className={classes['trap']} aria-hidden>
        {/* eslint-disable-next-line no-restricted-syntax -- for machines, which read no other language */}
        <input type="text" tabIndex={-1} autoComplete="off" {...form.getInputProps('website')} aria-label="website" />
      </div>
    </RecordForm>
  )
}

function Sent({ reference, email, onAnother }: { reference: string; email: string; onAnother: () => void }) {
  return (
    <section className={classes['sent']} role="status">
      <h2>
        <Trans>Your message has arrived</Trans>
      </h2>
      <p>
        <Trans>
          Its reference is <strong>{reference}</strong>; quote it when you ask again. The answer goes to {email}.
        </Trans>
      </p>
      <Anchor component="button" type="button" onClick={onAnother}>
        <Trans>Write another message</Trans>
      </Anchor>
    </section>
  )
}
