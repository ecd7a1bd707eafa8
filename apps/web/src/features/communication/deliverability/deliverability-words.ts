import type { SenderRecord, SenderRecordReason } from '@guildhall/contract/features/communication.deliverability'
import { t } from '@lingui/core/macro'
import type { Tone } from '../../../ui/display/status-badge.tsx'

export const recordName = (kind: SenderRecord['kind']): string =>
  ({ spf: t`SPF`, dkim: t`DKIM`, dmarc: t`DMARC`, return_path: t`Bounce address` })[kind]

export const recordState = (state: SenderRecord['state']): { tone: Tone; word: string } =>
  ({
    ok: { tone: 'good' as const, word: t`OK` },
    warning: { tone: 'warning' as const, word: t`Could be better` },
    fault: { tone: 'bad' as const, word: t`Needs fixing` },
    unknown: { tone: 'neutral' as const, word: t`Not checked` },
  })[state]

/** What is the matter with a record, and what to do. */
export function recordText(reason: SenderRecordReason): string {
  const texts: Record<SenderRecordReason, string> = {
    spf_ok: t`The domain names the servers that send its mail.`,
    spf_missing: t`The domain doesn’t say which servers may send its mail. Add this record.`,
    spf_several: t`There are several SPF records, so none of them counts. Merge them into one.`,
    spf_open: t`The record lets anyone send mail in your name. Replace it with this one.`,
    spf_without_sender: t`The record doesn’t include the service that sends your mail. Replace it with this one.`,
    dkim_ok: t`Mail is signed, and the published key matches.`,
    dkim_missing: t`Mail is signed, but the key isn’t published, so signatures can’t be verified. Add this record.`,
    dkim_other_key: t`Mail is signed with a different key than the published one. Replace the record with this one.`,
    dkim_other_domain: t`Mail is signed for a different domain than the sender’s. Use the sender’s domain in DKIM_DOMAIN.`,
    dkim_by_server: t`Guildhall doesn’t sign mail. This is fine if your mail server does; otherwise set DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY.`,
    dmarc_ok: t`Receiving servers know what to do with forged mail.`,
    dmarc_missing: t`The domain has no policy for forged mail. Large mailbox providers require one. Add this record.`,
    dmarc_several: t`There are several DMARC records, so none of them counts. Keep one.`,
    dmarc_only_watches: t`Forged mail is only observed. Once SPF and DKIM are OK, have it quarantined.`,
    return_path_ok: t`A server accepts bounces.`,
    return_path_missing: t`No server accepts mail for the bounce address, so bounces are lost. Add an MX record.`,
    no_answer: t`The DNS server didn’t answer. Check again later.`,
  }
  return texts[reason]
}

export const intakeName = (intake: 'mailgun' | 'sendgrid' | 'report'): string =>
  ({ mailgun: 'Mailgun', sendgrid: 'SendGrid', report: t`mail server` })[intake]
