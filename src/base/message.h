// SPDX-License-Identifier: GPL-3.0-or-later
/* The program's messages in a reader's language, by gettext.  The English stands where it is said; all of
 * it together is assets/messages.pot (make messages), which a translator starts from.  A translation
 * is the asset locale/LANGUAGE/LC_MESSAGES/embedscope.mo; the user's LC_ALL, LC_MESSAGES, LANG and
 * LANGUAGE choose. */
#ifndef ES_BASE_MESSAGE_H
#define ES_BASE_MESSAGE_H

/* Look for translations; without a call, and for programs that read (--json), all is English. */
void es_messages_begin(void);

/* The translation of a message, or itself.  What errors, hints and notes are printed from passes here. */
const char *es_translate(const char *english) __attribute__((format_arg(1)));

#endif
