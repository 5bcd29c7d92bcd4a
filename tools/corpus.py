"""The corpus the model pair is trained on: UPI dispute conversations from a grammar.

A conversation is a start symbol expanded until no slot is left. Slots in capitals are
rules, drawn anew each time; slots in small letters are facts of the conversation, drawn
once and repeated, so that a model must copy them. Everything is invented: names, banks
and merchants belong to nobody.
"""

import random
import re

BANKS = "Ganga Bank|Deccan Bank|Konkan Bank|Malwa Bank|Nilgiri Bank|Kaveri Bank|Sagar Bank"
APPS = "QuickPay|RupeeGo|PaisaWay|the bank app|SwiftUPI|Chillar"
MERCHANTS = ("Sharma Stores|Annapurna Kitchen|City Metro|Lotus Medicals|Blue Bus Travels|"
             "Green Basket|Patel Electronics|Star Recharge|Meena Tailors|Coastal Power|"
             "Sunrise Fuels|Book Corner|Royal Sweets|Hill View Hotel|Ravi Mobiles")
PEOPLE = ("Asha|Ravi|Meena|Imran|Joseph|Kavya|Arjun|Farah|Sunil|Lakshmi|Gurpreet|Nisha|"
          "Thomas|Deepa|Vikram|Ananya|Rahul|Zoya|Prakash|Divya")
AGENTS = "Anil|Priya|Sana|Kiran|David|Uma"
MONTHS = "January|February|March|April|May|June|July|August|September|October|November"

RULES = {
    "START": ["{HELLO}{PROBLEM}", "{PROBLEM}", "{HELLO}my name is {customer}. {PROBLEM}"],
    "HELLO": ["Hello, ", "Hi, ", "Good {daypart}, ", "Namaste, "],
    "PAID": ["I paid {amount} to {merchant}", "I sent {amount} to {merchant}",
             "I made a payment of {amount} to {merchant}",
             "I scanned the QR code at {merchant} and paid {amount}"],
    "WHEN": [" on {date}", " at {time}", " on {date} at {time}", " yesterday", " this {daypart}",
             " using {app}", " from my {bank} account", ""],
    "HOWLONG": ["How long will it take?", "When will I get the money?",
                "How many days does it take?", "By when should I expect it?"],
    "NEED": ["Please share the last four digits of the UPI reference.",
             "Could you give me the last four digits of the UPI reference?",
             "May I have the last four digits of the reference number?",
             "To find it I need the last four digits of the UPI reference."],
    "SORRY": ["I am sorry about this. ", "I am sorry to hear that, {customer}. ", "I understand. ",
              "Thank you for telling us. ", "I can help you with that. ",
              "This is {agent}. I am sorry for the trouble. "],
    "ASK": ["{SORRY}{NEED}", "{SORRY}{NEED} {ALSO}", "{SORRY}Which bank was the account with?"],
    "ALSO": ["Please do not share your PIN.", "I will never ask for your PIN or OTP.",
             "You can find it in {app} under history."],
    "GIVE": ["It is {ref}.", "{ref}", "The last four digits are {ref}.", "Sure, it is {ref}.",
             "The reference ends in {ref} and the account is with {bank}.",
             "{bank}. The reference ends in {ref}."],
    "FOUND": ["Thank you. I can see the payment of {amount} to {merchant} on {date}.",
              "Thank you, {customer}. I found it: {amount} to {merchant}, {date}, {time}.",
              "I have found the payment ending in {ref}: {amount} on {date} at {time}.",
              "Thanks. The payment ending in {ref} went from your {bank} account on {date}."],
    "CASE": ["I have opened a dispute with number {case}.", "Your dispute number is {case}.",
             "I have registered a complaint. The number is {case}.",
             "A dispute is open now. Please note the number {case}."],
    "DUE": ["The amount will be back in your {bank} account by {due}.",
            "You will get {amount} back by {due}.", "It takes up to {days} working days, "
            "so please expect it by {due}.", "{bank} has to answer by {due}."],
    "BYE": ["Thank you.|You are welcome, {customer}. {DAY}", "Okay, thanks.|Happy to help. {DAY}",
            "Thanks, {agent}.|You are welcome. {DAY}", "That is all, thank you.|{DAY}",
            "I will wait until {due}.|Thank you for your patience, {customer}. {DAY}"],
    "DAY": ["Have a good {daypart}.", "Have a nice day.", "Thank you for contacting us.",
            "Is there anything else? If not, have a good {daypart}."],
    "MESSAGE": ["You will get an SMS when it is done.", "We will send a message to your phone.",
                "You can follow the dispute in {app} with number {case}."],
    "ESCALATE": ["If nothing has come by {due}, reply here with {case} and I will escalate it.",
                 "Then please write to the grievance officer of {bank} and quote {case}."],
    "AGAIN": ["Please wait until {due} before you pay again.",
              "Yes, you can pay again. The first payment will be returned.",
              "No. Please ask {merchant} to check their account first."],
    "SAFE": ["Yes. Nobody can take money without your PIN.",
             "Yes, your account is safe. Please never approve a request you do not know.",
             "It is safe. As a precaution you can change your UPI PIN in {app}."],
}

# What the customer may ask next, and the answer; each at most once a conversation.
FOLLOW_UPS = [
    "{HOWLONG}|{DUE}", "Will I get a message?|{MESSAGE}", "{HOWLONG}|{DUE} {MESSAGE}",
    "Do I need to visit the branch?|No, there is no need to visit {bank}. {MESSAGE}",
    "Can it be faster?|I am afraid not. {DUE}",
    "What if the money does not come by then?|{ESCALATE}",
    "Can you repeat the dispute number?|Yes. The dispute number is {case}.",
    "Which payment is this about?|The one of {amount} to {merchant} on {date}.",
    "Should I pay {merchant} again?|{AGAIN}", "Is my account safe?|{SAFE}",
]

# One dispute a kind: what the customer says, and what the agent finds.
KINDS = {
    "failed": (["{PAID}{WHEN}. It failed but the money was debited.",
                "my payment of {amount} to {merchant}{WHEN} failed, but {bank} took the money.",
                "{amount} was debited{WHEN} but {app} says the payment failed."],
               ["The payment failed at the bank of {merchant}. {CASE} {DUE}",
                "It was debited but not credited. It is reversed automatically. {DUE}",
                "The bank did not answer in time, so it failed. {CASE} {DUE}"]),
    "pending": (["{PAID}{WHEN} and it still shows pending.",
                 "the payment of {amount} to {merchant} has been pending since {time}.",
                 "{app} shows my payment of {amount} as processing{WHEN}."],
                ["It is still pending with {bank}. It will succeed or be returned by {due}.",
                 "{bank} has not confirmed it yet. Please do not pay again. {CASE}",
                 "It has just succeeded. {merchant} has the money now."]),
    "wrong": (["I sent {amount} to the wrong person{WHEN}.",
               "I typed a wrong UPI ID and sent {amount} to {other}{WHEN}.",
               "by mistake {amount} went to {other} and not to {customer}."],
              ["The payment went to {other}. I can ask their bank, but they must agree. {CASE}",
               "I have sent a request to the bank of {other}. {CASE} {DUE}"]),
    "double": (["{merchant} charged me twice for {amount}{WHEN}.",
                "{PAID}{WHEN} and it was debited two times.",
                "I was debited {amount} twice for one bill at {merchant}."],
               ["I can see two payments of {amount}. The second one will be returned. {CASE}",
                "There are two debits on {date}. {CASE} {DUE}",
                "One of the two went through. The other was reversed at {time}."]),
    "refund": (["{merchant} promised a refund of {amount} but it has not come.",
                "I cancelled my order with {merchant} and the refund of {amount} is missing.",
                "I returned the goods to {merchant}{WHEN}. Where is my refund of {amount}?"],
               ["{merchant} has sent the refund on {date}. {DUE}",
                "{merchant} has not started the refund yet. {CASE} {DUE}"]),
    "fraud": (["I did not make the payment of {amount}{WHEN}. I think it is a fraud.",
               "somebody called {other} sent me a request and {amount} is gone.",
               "I got a call from {other} and lost {amount}{WHEN}. Please help."],
              ["I have blocked UPI on your {bank} account. {CASE} Please also call 1930.",
               "This was a collect request from {other}. {CASE} Please change your PIN now.",
               "I have marked it as fraud. {CASE} {bank} has to answer by {due}."]),
    "merchant": (["{PAID}{WHEN} but {merchant} says they have not received it.",
                  "{app} says success, but {merchant} did not get {amount}.",
                  "{merchant} wants me to pay {amount} again, but my account was debited."],
                 ["The payment is successful. Please show {merchant} the reference {ref}.",
                  "The credit is delayed at their bank. {CASE} {DUE}",
                  "{merchant} received it at {time}. Please ask them to check again."]),
    "mandate": (["I cancelled the autopay of {merchant} but {amount} was debited{WHEN}.",
                 "why does {merchant} still take {amount} every month{WHEN}?"],
                ["The mandate was still active on {date}. I have cancelled it now. {CASE}",
                 "It was cancelled after the debit. {merchant} can refund it. {DUE}"]),
    "atm": (["I tried to take {amount} from the machine at {merchant} and got no cash{WHEN}.",
             "the machine at {merchant} gave no cash but {amount} was debited{WHEN}."],
            ["The machine of {bank} reported an error at {time}. {CASE} {DUE}",
             "The cash was not given. {bank} will return {amount} by {due}."]),
}


def facts(rng):
    """Draw the facts of one conversation; `due` follows from `date` and `days`."""
    day, days = rng.randint(1, 22), rng.choice([2, 3, 5, 5, 7])
    month = rng.choice(MONTHS.split("|"))
    customer, other = rng.sample(PEOPLE.split("|"), 2)
    rupees = rng.choice([rng.randint(1, 19) * 50, rng.randint(1, 40) * 100, rng.randint(11, 999),
                         rng.randint(1, 20) * 1000])
    hour = rng.randint(1, 12)
    return {"customer": customer, "other": other, "agent": rng.choice(AGENTS.split("|")),
            "bank": rng.choice(BANKS.split("|")), "app": rng.choice(APPS.split("|")),
            "merchant": rng.choice(MERCHANTS.split("|")), "amount": f"Rs {rupees:,}",
            "date": f"{day} {month}", "due": f"{day + days} {month}", "days": str(days),
            "time": f"{hour}:{rng.randint(0, 59):02d} {rng.choice(['am', 'pm'])}",
            "daypart": rng.choice(["morning", "afternoon", "evening"]),
            "ref": f"{rng.randint(0, 9999):04d}", "case": f"D{rng.randint(1000, 9999)}"}


def expand(text, rules, known, rng):
    """Replace the slots of `text`, outermost first, until none is left."""
    def fill(match):
        name = match.group(1)
        return known[name] if name in known else expand(rng.choice(rules[name]), rules, known, rng)
    return re.sub(r"\{(\w+)\}", fill, text)


def sentences(words):
    """`words` with a capital at the start of every sentence."""
    return re.sub(r"(?:^|(?<=[.?!] ))[a-z]", lambda first: first.group().upper(), words)


def conversation(rng):
    """One conversation as text, ``Customer:`` and ``Agent:`` in turn, ending in a newline."""
    known = facts(rng)
    complaint, finding = rng.choice(list(KINDS.values()))
    rules = RULES | {"PROBLEM": complaint, "FINDING": finding}
    turns = ["{START}|{ASK}", "{GIVE}|{FOUND} {FINDING}"]
    turns += [*rng.sample(FOLLOW_UPS, rng.choice([0, 1, 1, 2, 2, 3])), "{BYE}"]
    lines = []
    for turn in turns:
        said = expand(turn, rules, known, rng)
        for speaker, words in zip(("Customer", "Agent"), said.split("|"), strict=True):
            lines.append(f"{speaker}: {sentences(words)}\n")
    return "".join(lines)


def conversations(count, seed):
    """`count` different conversations, the same for the same seed."""
    rng, seen = random.Random(seed), {}
    while len(seen) < count:
        seen.setdefault(conversation(rng))
    return list(seen)
