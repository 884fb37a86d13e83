int number_of_billing();
int number_of_game();

int main() { return number_of_billing() == number_of_game() ? 0 : 1; }
