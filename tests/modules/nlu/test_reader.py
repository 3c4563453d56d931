"""What the reader keeps."""

from modules.nlu.reader import Over, reader


def test_what_a_question_means_is_kept_until_it_is_forgotten_and_not_in_a_conversation() -> None:
    question = "Which cafe is nearest to Ateneum?"
    first = reader().readings(question, (), Over.MAP)
    assert reader().readings(question, [], Over.MAP) is first
    reader().forget()
    again = reader().readings(question, (), Over.MAP)
    assert again == first
    assert again is not first
    told = reader().readings(question, (), Over.MAP, ["Where is Kiasma?"])
    assert reader().readings(question, (), Over.MAP, ["Where is Kiasma?"]) is not told
